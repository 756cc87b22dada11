import { expect, test } from "vitest"
import type { JsonMap } from "../../ground/message.ts"
import { readMcpServers } from "./read-mcp-servers.ts"

const variable = ["$", "{HOME}/x"].join("")
const read = (map: JsonMap, of: "user" | "project" = "user") => {
  const told: string[] = []
  const value = readMcpServers(map, {
    key: "mcpServers",
    of,
    report: ({ message }) => told.push(message),
    absolute: (place) => place.replace(/^~|^\./, "/home/ada"),
  })
  return { value, told }
}

test("places of a server are made absolute, and what is filled in later stays", () => {
  const entry = {
    command: "./bin/srv",
    args: ["./x"],
    visible: ["~/notes", variable, ""],
    writable: ["./out"],
  }
  expect(read({ srv: entry, none: null, plain: { command: "npx" } })).toEqual({
    value: {
      srv: {
        command: "/home/ada/bin/srv",
        args: ["./x"],
        visible: ["/home/ada/notes", variable],
        writable: ["/home/ada/out"],
      },
      plain: { command: "npx" },
    },
    told: [],
  })
})

test("what is wrong with a server costs that one, and is said", () => {
  const { value, told } = read({
    a__b: { command: "x" },
    text: "npx",
    both: { command: "x", url: "https://example.com" },
    key: { command: "x", enviroment: {} },
    good: { url: "https://example.com/mcp" },
    off: { command: "x", disabled: true },
  })
  expect(value).toEqual({ good: { url: "https://example.com/mcp" } })
  expect(told).toEqual([
    expect.stringMatching(/^`mcpServers\.a__b` has an invalid name: /),
    expect.stringMatching(/^`mcpServers\.text` .*map/),
    expect.stringMatching(/^`mcpServers\.both` has both `command` and `url`/),
    expect.stringMatching(/^`mcpServers\.key` has an unknown key `enviroment`.*Did you mean "env/),
  ])
})

test("a project's file may not turn the sandbox off, nor write a secret out", () => {
  const entries = {
    off: { command: "x", sandbox: "off" },
    sure: { command: "x", annotations: "believed" },
    key: { command: "x", env: { API_KEY: "correct-horse-battery" } },
    good: { command: "x", network: "full", env: { API_KEY: variable } },
  }
  const { value, told } = read(entries, "project")
  expect(Object.keys(value)).toEqual(["good"])
  expect(told).toEqual(["sandbox", "annotations", "env"].map((key) => expect.stringContaining(`\`${key}`)))
  expect(Object.keys(read(entries).value)).toEqual(["off", "sure", "key", "good"])
})
