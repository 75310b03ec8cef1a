import { describe, expect, it } from "vitest";
import { URI } from "vscode-uri";
import { webviewHtml } from "../../../../src/host/platform/webviewHtml.ts";
import { stub } from "../../stub/vscode.ts";

function html(language: "en" | "zh-cn" = "en", name: "webview" | "side" = "webview"): string {
  const { webview } = stub.panel("test");
  // @ts-expect-error the stub's webview has what the page's HTML needs, not all of VS Code's
  return webviewHtml(webview, URI.file("/extension"), language, name);
}

function policy(page: string): Map<string, string[]> {
  const content = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? "";
  return new Map(
    content.split(";").map((directive) => {
      const [name = "", ...sources] = directive.trim().split(/\s+/);
      return [name, sources];
    }),
  );
}

describe("the page's content security policy", () => {
  it("allows nothing by default", () => {
    expect(policy(html()).get("default-src")).toEqual(["'none'"]);
  });

  it("lists exactly the directives that the page needs", () => {
    const directives = policy(html());
    expect([...directives.keys()].sort()).toEqual([
      "default-src",
      "font-src",
      "img-src",
      "script-src",
      "style-src",
      "worker-src",
    ]);
    expect(directives.get("worker-src")).toEqual(["blob:"]);
    expect(directives.get("script-src")).toHaveLength(1);
  });

  it("contains neither inline scripts nor evaluation", () => {
    const page = html();
    expect(page).not.toContain("unsafe-");
    expect(page).not.toMatch(/\son\w+\s*=|javascript:|<style|\sstyle=/i);
    for (const [, attributes, body] of page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
      expect(attributes).toMatch(/nonce="[^"]+" src="https:/);
      expect(body).toBe("");
    }
  });

  it("allows one script by a fresh nonce of sufficient length", () => {
    const nonces = Array.from({ length: 50 }, () => {
      const page = html();
      const named = policy(page).get("script-src")?.[0] ?? "";
      expect(page).toContain(`<script ${named.slice(1, 6)}="${named.slice(7, -1)}"`);
      return named.slice(7, -1);
    });
    expect(new Set(nonces).size).toBe(50);
    for (const nonce of nonces) expect(atob(nonce)).toHaveLength(16);
  });

  it("is the same for both pages, each with its own script and style sheet", () => {
    const names = (page: string) => [...page.matchAll(/dist\/([\w.]+)"/g)].map(([, name]) => name);
    expect(names(html("en", "webview"))).toEqual(["webview.css", "webview.js"]);
    expect(names(html("en", "side"))).toEqual(["side.css", "side.js"]);
    const rules = (page: string) => [...policy(page)].filter(([name]) => !/^(?:script|style)-src$/.test(name));
    expect(rules(html("en", "side"))).toEqual(rules(html("en", "webview")));
  });

  it("comes with the page's language for screen readers", () => {
    expect(html("en")).toContain('<html lang="en">');
    expect(html("zh-cn")).toContain('<html lang="zh-Hans">');
  });
});
