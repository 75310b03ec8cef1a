/** Names that a folder, a file or a value in a file can have, each an attack on the place that shows it. */
export const HOSTILE_NAMES: readonly string[] = [
  "[Repair it](command:workbench.action.terminal.sendSequence)",
  "[Docs](https://evil.example)",
  "x](command:a) [Fix](command:workbench.action.closeWindow",
  "$(check) verified",
  "$(sync~spin)",
  "a\nNo problems found",
  "a\r\n\r\nb",
  "\u001b[2J\u001b[31mred",
  "abc\u202egnp.json",
  "`a` **b** <img src=x onerror=alert(1)>",
  "constructor",
  "__proto__",
  "::error::injected",
];

/** The pattern by which VS Code finds links in notifications (base/common/linkedText.ts). */
const NOTIFICATION_LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

/** The pattern by which VS Code finds icons in labels, with the backslash that escapes one (base/common/iconLabels.ts). */
const LABEL_ICON = /(?<!\\)\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be shown
const INVISIBLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** What a place of VS Code does with text. */
export type TextKind = "notification" | "label" | "plain" | "lines";

/** Why this text would act instead of being shown; undefined if it is harmless. */
export function findDanger(kind: TextKind, text: string): string | undefined {
  if (kind === "notification" && NOTIFICATION_LINK.test(text)) return "a link";
  if (kind === "label" && LABEL_ICON.test(text)) return "an icon";
  if (INVISIBLE.test(text)) return "an invisible character";
  return kind !== "lines" && text.includes("\n") ? "a line break" : undefined;
}
