import { ownValue } from "../util/ownValue.ts";

const XML_ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ownValue(XML_ENTITIES, character) ?? "");
}

/**
 * One SVG element as text.
 * @param content text, which is escaped, or a list of elements from this function
 */
export function svgElement(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: string | readonly string[] = [],
): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  const inner = typeof content === "string" ? escapeXml(content) : content.join("");
  return inner === "" ? `<${name}${given.join("")}/>` : `<${name}${given.join("")}>${inner}</${name}>`;
}
