const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}

/**
 * One SVG element as text.
 * @param content words, which are escaped, or a list of elements made by this function
 */
export function svgElement(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: string | readonly string[] = [],
): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  const inner = typeof content === "string" ? escaped(content) : content.join("");
  return inner === "" ? `<${name}${given.join("")}/>` : `<${name}${given.join("")}>${inner}</${name}>`;
}
