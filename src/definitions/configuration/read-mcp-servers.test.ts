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
      "`mcpServers.a__b` is not a valid name of a server: use letters, digits, `.`, `-` and single `_`. No run starts with this setting.",
      "`mcpServers.text` is not a map of settings. No run starts with this setting.",
    ],
  })
})

test("a project's file names no server", () => {
  expect(read({ srv: { command: "x" } }, "project")).toEqual({
    value: {},
    told: [
      "`mcpServers` is not allowed in a project's configuration: only your own may define servers, because they are programs that run on your machine. Define them there, and remove them from this file.",
    ],
  })
})
