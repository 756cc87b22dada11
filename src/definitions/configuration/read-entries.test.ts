import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import type { Json } from "../../ground/message.ts"
import { createValidator } from "../../ground/schema/schema.ts"
import { buildConfigurationSchema } from "./schema.ts"
import { readBoth } from "./support.ts"

let folder = ""
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-entries-")))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

function read(files: Parameters<typeof readBoth>[1]) {
  const { configuration, findings } = readBoth(folder, files)
  return { providers: configuration.providers, presets: configuration.presets, findings }
}

describe("providers of a person's own file", () => {
  test("every key, in either spelling", () => {
    const user = `
providers:
  one:
    protocol: anthropic
    baseUrl: https://one.example/v1
    key: ONE_KEY
    keyFile: ~/keys/one
    endpoints: [https://two.example]
    headers: { x-team: blue }
    headerVariables: { x-api-key: ONE_KEY }
    package: "@ai-sdk/one"
    strictTools: true
  two: { strict_tools: false, base_url: "https://two.example", env_key: TWO_KEY, key_file: two, env_http_headers: { a: B } }
  three:
`
    expect(read({ user })).toEqual({
      providers: {
        one: {
          protocol: "anthropic",
          baseUrl: "https://one.example/v1",
          key: "ONE_KEY",
          keyFile: "~/keys/one",
          endpoints: ["https://two.example"],
          headers: { "x-team": "blue" },
          headerVariables: { "x-api-key": "ONE_KEY" },
          package: "@ai-sdk/one",
          strictTools: true,
        },
        two: {
          strictTools: false,
          baseUrl: "https://two.example",
          key: "TWO_KEY",
          keyFile: "two",
          headerVariables: { a: "B" },
        },
      },
      presets: {},
      findings: [],
    })
  })

  test.each<[string, string, Json, string]>([
    [
      "a key that is misspelled",
      "providers: { a: { protocl: openai } }",
      { a: {} },
      expect.stringMatching(
        /^configuration-key 1:19 `providers\.a\.protocl`.*"protocol".*baseUrl, endpoints, headerVariables, headers, key, keyFile, package, protocol, strictTools, token.?$/,
      ),
    ],
    [
      "a wrong type",
      "providers: { a: { protocol: grpc } }",
      { a: {} },
      naming("configuration-type 1:29 `providers.a.protocol`", "openai, responses, anthropic, ai-sdk"),
    ],
    [
      "an address with a password, which is not shown",
      "providers: { a: { baseUrl: 'https://me:hunter2@x.example' } }",
      { a: {} },
      expect.stringMatching(/^configuration-type 1:28 `providers\.a\.baseUrl`/),
    ],
    [
      "an address in the place of an entry",
      "providers: { a: 'https://x.example' }",
      {},
      expect.stringMatching(/^configuration-type 1:17 `providers\.a`/),
    ],
    [
      "an id that leads elsewhere",
      "providers: { '../x': {} }",
      {},
      expect.stringMatching(/^configuration-type 1:22 `providers\.\.\.\/x`/),
    ],
  ])("%s", (_, user, providers, finding) => {
    expect(read({ user })).toEqual({ providers, presets: {}, findings: [finding] })
  })

  test.each([
    ["key", "key: sk-ant-api03-R4nd0m"],
    ["env_key", "env_key: gsk_R4nd0mK8vQ2zL7"],
    ["apiKey", "apiKey: R4nd0mK8vQ2zL7"],
    ["api_key", "api_key: R4nd0mK8vQ2zL7"],
    ["token", "token: R4nd0mK8vQ2zL7"],
    ["headers", "headers: { Authorization: Bearer R4nd0mK8vQ2zL7 }"],
    ["headerVariables", "headerVariables: { x-api-key: sk-R4nd0mK8vQ2zL7 }"],
  ])("a key written out as %s is refused and not shown", (name, line) => {
    const { providers, findings } = read({ user: `\n\n\n\nproviders:\n  a:\n    ${line}\n` })
    expect(providers).toEqual({ a: {} })
    expect(findings).toEqual([
      expect.stringMatching(`^configuration-secret 1:1 .providers.a.${name}. is, or may be`),
    ])
    expect(findings.join()).not.toContain("R4nd0m")
  })
})

describe("a project's file", () => {
  test("says where a provider is, and nothing that a key would follow", () => {
    const project = `
providers:
  acme: { protocol: openai, baseUrl: "https://acme.example" }
  openai: { key: AWS_SECRET, keyFile: x, endpoints: [], headers: {}, headerVariables: {}, package: evil }
`
    const { providers, findings } = read({ project })
    expect(providers).toEqual({ acme: { protocol: "openai", endpoint: "https://acme.example" }, openai: {} })
    expect(findings).toEqual(
      ["key", "keyFile", "endpoints", "headers", "headerVariables", "package"].map((key) =>
        naming(`\`providers.openai.${key}\``, "configuration"),
      ),
    )
  })

  test("leaves what the person's own says about the same provider", () => {
    const user = "providers: { acme: { key: ACME_KEY, endpoints: ['https://acme.example'] }, mine: {} }"
    const project = "providers: { acme: { baseUrl: 'https://acme.example' } }"
    expect(read({ user, project })).toEqual({
      providers: {
        acme: { key: "ACME_KEY", endpoints: ["https://acme.example"], endpoint: "https://acme.example" },
        mine: {},
      },
      presets: {},
      findings: [],
    })
  })
})

describe("presets", () => {
  test("parameters that the run itself sets are told", () => {
    expect(
      read({ user: "presets:\n  quick: {model: haiku, parameters: {stream: true}}\n" }).findings,
    ).toEqual([expect.stringMatching(/^parameter-reserved 2:38 `presets\.quick\.parameters\.stream`/)])
  })

  test("names and objects", () => {
    const project = `
presets:
  fast: " openai:small "
  slow:
    provider: openai
    model: large
    endpoint: http://127.0.0.1:1
    parameters: { temperature: 0 }
    effort: 5
    price: { input: 1, output: 2, cacheRead: 0.1 }
    window: 1000
  none:
`
    expect(read({ project })).toEqual({
      providers: {},
      presets: {
        fast: "openai:small",
        slow: {
          provider: "openai",
          model: "large",
          endpoint: "http://127.0.0.1:1",
          parameters: { temperature: 0 },
          effort: 5,
          price: { input: 1, output: 2, cacheRead: 0.1 },
          window: 1000,
        },
      },
      findings: [],
    })
  })

  test.each<[string, string, Json, string]>([
    [
      "a misspelled key",
      "presets: { a: { model: m, efort: high } }",
      { a: { model: "m" } },
      expect.stringMatching(
        /^configuration-key 1:27 `presets\.a\.efort`.*"effort".*effort, endpoint, model, parameters, price, provider, sees, window.?$/,
      ),
    ],
    [
      "no model",
      "presets: { a: { provider: openai } }",
      {},
      expect.stringMatching(/^configuration-type 1:15 `presets\.a`/),
    ],
    [
      "a price for one thing only",
      "presets: { a: { model: m, price: { input: 1 } } }",
      { a: { model: "m" } },
      expect.stringMatching(/^configuration-type 1:34 `presets\.a\.price`/),
    ],
    ["a number", "presets: { a: 5 }", {}, expect.stringMatching(/^configuration-type 1:15 `presets\.a`/)],
  ])("%s", (_, project, presets, finding) => {
    expect(read({ project })).toEqual({ providers: {}, presets, findings: [finding] })
  })
})

test.each([
  [
    {
      providers: { a: { protocol: "openai", baseUrl: "https://x", key: "A_KEY", endpoints: ["https://y"] } },
    },
    true,
  ],
  [{ presets: { a: "m", b: { model: "m", price: { input: 1, output: 2 } } } }, true],
  [{ strict_model: true, allow_model_override: false }, true],
  [{ providers: { a: { key: "sk-abc" } } }, false],
  [{ providers: { a: { apiKey: "x" } } }, false],
  [{ presets: { a: { provider: "openai" } } }, false],
  [{ presets: { a: { model: "m", price: { input: 1 } } } }, false],
])("editors are told: %j fits: %s", async (value, expected) => {
  expect("value" in (await createValidator(buildConfigurationSchema())(value))).toBe(expected)
})
