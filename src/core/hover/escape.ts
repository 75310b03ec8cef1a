/** Text from a file as literal Markdown, on one line: no links, no emphasis, no HTML, no table cells. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
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

/** Text from a file inside an HTML block, where Markdown is not parsed. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#39;")
    .trim();
}
