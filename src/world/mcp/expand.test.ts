import { expect, test } from "vitest"
import type { McpServerSettings } from "../../agent/mcp-server.ts"
import { expandEntry } from "./expand.ts"

const environment = { TOKEN: "t0ken", EMPTY: "", HOST: "example.com" }

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are what is expanded
test.each<[string, McpServerSettings, unknown]>([
  [
    "variables stand for their values, wherever text is",
    { command: "${HOST}/x", args: ["--key=${TOKEN}", "$TOKEN"], env: { A: "${TOKEN}" } },
    { command: "example.com/x", args: ["--key=t0ken", "$TOKEN"], env: { A: "t0ken" } },
  ],
  [
    "of an address and its headers, too",
    { url: "https://${HOST}/mcp", headers: { Authorization: "Bearer ${TOKEN}" } },
    { url: "https://example.com/mcp", headers: { Authorization: "Bearer t0ken" } },
  ],
  [
    "what holds without it stands for one that is missing or empty",
    { command: "${NONE:-npx}", args: ["${EMPTY:-a}", "${TOKEN:-b}", "${NONE:-}"] },
    { command: "npx", args: ["a", "t0ken", ""] },
  ],
  ["an empty one is empty", { command: "x", args: ["${EMPTY}"] }, { command: "x", args: [""] }],
  ["one that is missing is named", { command: "${A}", args: ["${B} ${A}"] }, { missing: ["A", "B"] }],
  ["settings that are no text stay", { command: "x", timeout: 5 }, { command: "x", timeout: 5 }],
])("%s", (_, given, expected) => {
  expect(expandEntry(given, environment)).toEqual(expected)
})
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are what is expanded
