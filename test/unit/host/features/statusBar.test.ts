import { describe, expect, it } from "vitest";
import { stub } from "../../stub/vscode.ts";
import { eventually } from "../../support/eventually.ts";
import { freshHost } from "../../support/freshHost.ts";
import { config, wrong } from "../../support/llamaConfig.ts";
import { setLanguage } from "../../support/setLanguage.ts";

freshHost();

const item = () => {
  const [only, ...others] = stub.statusItems;
  if (only === undefined || others.length > 0) throw new Error("there must be one item");
  return only;
};
const open = (text: string, path = "/workspace/m/config.json") => stub.open(path, "json", text);

describe("the status bar item", () => {
  it("names the encoding of the active config and is absent for other files", async () => {
    expect(item().visible).toBe(false);
    stub.activate(open(config()));
    await eventually(() => expect(item()).toMatchObject({ visible: true, text: "RoPE · θ 5e5 · 4096" }));
    stub.activate(open('{"name": "x"}', "/workspace/package.json"));
    await eventually(() => expect(item().visible).toBe(false));
    stub.activate(undefined);
    expect(stub.statusItems).toHaveLength(1);
  });

  it("shows findings as text, also to screen readers, and follows the severity settings", async () => {
    stub.activate(open(wrong));
    await eventually(() => expect(item().text).toMatch(/\$\(warning\) \d+ warnings?/));
    expect(item().accessibilityInformation?.label).toMatch(/RoPE · YaRN ×4.*warning/);
    expect(item().tooltip).toContain("warning");
    stub.set("posenc.rules", { "rope/*": "off", "window/*": "off" });
    await eventually(() => expect(item().text).not.toContain("warning"));
  });

  it("follows typing", async () => {
    const document = open(config());
    stub.activate(document);
    await eventually(() => expect(item().text).toContain("θ 5e5"));
    stub.edit(document, config({ rope_theta: 10000 }));
    await eventually(() => expect(item().text).toContain("θ 1e4"));
  });

  it("reports a file that cannot be read", async () => {
    stub.activate(open(config().slice(0, -20)));
    await eventually(() => expect(item().text).toContain("$(error) unreadable"));
  });

  it("opens the preview of its file", async () => {
    const document = open(config());
    stub.activate(document);
    await eventually(() => expect(item().visible).toBe(true));
    const { command, arguments: given } = item().command ?? { command: "", arguments: [] };
    await stub.handlers.get(command)?.(...given);
    expect(stub.panels).toHaveLength(1);
  });

  it("is in Chinese with that setting", async () => {
    stub.activate(open(wrong));
    await setLanguage("zh-cn");
    await eventually(() => expect(item().text).toMatch(/\$\(warning\) \d+ 个警告/));
    await setLanguage("en");
    await eventually(() => expect(item().text).toContain("warning"));
  });
});
