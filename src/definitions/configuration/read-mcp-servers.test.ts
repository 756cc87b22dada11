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
  expect(read({ a__b: { command: "x" }, text: "npx", good: { url: "https://example.com/mcp" } })).toEqual({
    value: { good: { url: "https://example.com/mcp" } },
    told: [
      expect.stringMatching(/^`mcpServers\.a__b`.*single/),
      expect.stringMatching(/^`mcpServers\.text`.*settings.*ignored/),
    ],
  })
})

test("a project's file names no server", () => {
  expect(read({ srv: { command: "x" } }, "project")).toEqual({
    value: {},
    told: [expect.stringMatching(/^`mcpServers`.*machine/)],
  })
})
