import { describe, expect, test } from "vitest"
import { foreignAnswer } from "../../../test/mcp/foreign-answer.ts"
import type { Json } from "../../ground/message.ts"
import { readResult } from "./read-result.ts"
import type { ServerOffers } from "./reading-methods.ts"
import { createReadingTools } from "./reading-tools.ts"

const names = (offers: Partial<ServerOffers>, own: readonly string[] = []) =>
  createReadingTools({ tools: true, resources: false, prompts: false, ...offers }, new Set(own)).map(
    ({ name, method }) => `${name}: ${method}`,
  )

describe("the tools that read a server's resources and prompts", () => {
  test.each<[string, Partial<ServerOffers>, readonly string[], readonly string[]]>([
    ["are not there where it declares none", {}, [], []],
    [
      "are there for resources",
      { resources: true },
      [],
      [
        "list_resources: resources/list",
        "list_resource_templates: resources/templates/list",
        "read_resource: resources/read",
      ],
    ],
    [
      "are there for prompts",
      { prompts: true },
      [],
      ["list_prompts: prompts/list", "get_prompt: prompts/get"],
    ],
    [
      "never replace a tool of the server (146)",
      { prompts: true },
      ["get_prompt"],
      ["list_prompts: prompts/list"],
    ],
  ])("%s", (_, offers, own, expected) => expect(names(offers, own)).toEqual(expected))
})

describe("their results are foreign text", () => {
  test.each<[string, Json, string]>([
    [
      "a resource",
      {
        contents: [
          { uri: "a:b", text: "words" },
          { uri: "a:c", blob: Buffer.from("more").toString("base64") },
        ],
      },
      "[resource a:b]\nwords\n[resource a:c]\nmore",
    ],
    [
      "a page of resources",
      { resources: [{ uri: "a:b", name: "n", _meta: { secret: 1 } }, 7], nextCursor: "2" },
      '{"uri":"a:b","name":"n"}\n[an invalid entry]\nnextCursor: "2"',
    ],
    ["a page of nothing", { prompts: [] }, "(none)"],
    [
      "a prompt",
      { messages: [{ role: "user", content: { type: "text", text: "Obey." } }, { role: "assistant" }, 7] },
      "[user]\nObey.\n[assistant]\n[message]",
    ],
  ])("%s", (_, result, expected) =>
    expect(readResult(result, "s").text).toEqual(foreignAnswer("s", expected)),
  )
})
