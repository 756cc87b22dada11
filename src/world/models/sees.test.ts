import { expect, test } from "vitest"
import { openModel } from "./open.ts"
import { createProviderList } from "./provider.ts"
import { guessSeenTypes, listMediaTypes } from "./sees.ts"

const image = ["image/png", "image/jpeg", "image/gif", "image/webp"]
const both = [...image, "application/pdf"]

test("words stand for types of files", () => {
  expect([[], ["image"], ["pdf"], ["image", "pdf"]].map((sees) => listMediaTypes(sees as never))).toEqual([
    [],
    image,
    ["application/pdf"],
    both,
  ])
})

test.each([
  ["claude-opus-9", both],
  ["us.anthropic.claude-opus-9", both],
  ["anthropic/claude-opus-9", both],
  ["gemini-9-pro", both],
  ["gpt-9", image],
  ["openai/gpt-9", image],
  ["o9", image],
  ["gpt-oss-120b", []],
  ["gpt-3.5-turbo", []],
  ["gpt-4", []],
  ["o3-mini", []],
  ["llama-9", []],
  ["olmo-2", []],
])("%s, of which no table knows, reads", (model, sees) => {
  expect(guessSeenTypes(model)).toEqual(sees)
})

test.each([
  ["anthropic", "claude-sonnet-4-5", undefined, both],
  ["openai", "o3-mini", undefined, undefined],
  ["ollama", "llava", undefined, undefined],
  ["ollama", "llava", ["image"] as const, image],
  ["anthropic", "claude-sonnet-4-5", [] as const, undefined],
])("%s/%s is opened with what tables and settings say it reads (%j)", async (id, model, said, sees) => {
  const provider = createProviderList({}, {}).find(id)!
  const opened = await openModel({
    provider,
    model,
    access: { headers: {}, warnings: [] },
    ...(said && { facts: { sees: said } }),
  })
  expect(opened.sees).toEqual(sees)
})
