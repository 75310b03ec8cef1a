/** Text from a file as literal Markdown, on one line: no links, no emphasis, no HTML, no table cells. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/[\\`*_{}[\]()#!|~$^@]/g, "\\$&")
    .replace(/:\/\//g, "\\:\\/\\/")
    .replace(/www\./gi, "www\\.")
    .replace(/^([-+=])/, "\\$1")
    .replace(/^(\d+)\./, "$1\\.")
    .trim();
}

/** A link target that cannot end the link or the line. */
export function escapeTarget(target: string): string {
  return target.replace(/[\s()<>"\\]/g, (character) =>
    encodeURIComponent(character).replace(/[()]/g, (paren) => (paren === "(" ? "%28" : "%29")),
  );
}
