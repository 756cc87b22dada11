import { expect, test } from "vitest"
import type { JsonMap } from "../../ground/message.ts"
import type { ScriptInput } from "../../language/script/declarations.ts"
import { callInputs } from "./call-inputs.ts"

const input = (name: string, alias?: string): ScriptInput => ({
  name,
  schema: { type: "string" },
  required: false,
  ...(alias !== undefined && { alias }),
})

const host = { node_text: "def f(): pass", workspace_id: "run", target_file: undefined }

test.each<[string, readonly ScriptInput[], JsonMap, JsonMap]>([
  ["arguments of the model", [input("style")], { style: "google" }, { style: "google" }],
  ["a value of the host", [input("node_text")], {}, { node_text: "def f(): pass" }],
  [
    "a value of the host under the other name of the input",
    [input("text_input", "node_text")],
    {},
    { text_input: "def f(): pass" },
  ],
  ["none that the script does not declare", [], {}, {}],
  [
    "not the model's, for an input of the host",
    [input("node_text")],
    { node_text: "x" },
    { node_text: "def f(): pass" },
  ],
  [
    "not the model's, under any name of that input",
    [input("text_input", "node_text")],
    { text_input: "x", node_text: "y" },
    { text_input: "def f(): pass" },
  ],
  [
    "not the model's, even if the host has no value",
    [input("target_file")],
    { target_file: "/etc/passwd" },
    {},
  ],
  ["not the model's, even if the script does not declare it", [], { workspace_id: "x" }, {}],
])("a script gets %s", (_, declared, given, expected) => {
  expect(callInputs(declared, given, host)).toEqual(expected)
})

test("without a host every argument goes to the script", () => {
  expect(callInputs([input("node_text")], { node_text: "x" })).toEqual({ node_text: "x" })
})
