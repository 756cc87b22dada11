import path from "node:path"
import { expect, describe as group, test } from "vitest"
import {
  type ClaimOwner,
  describeOwner,
  findOwnerState,
  identifySocketFolder,
  isOwner,
  readThisProcess,
} from "./owner.ts"

const owner: ClaimOwner = { ...readThisProcess(), host: "h", socket: "/s", place: "1:2", nonce: "n" }

group("an owner", () => {
  test("is what a claim names", () => expect(isOwner(owner)).toBe(true))

  test("may be the first process of a container", () => expect(isOwner({ ...owner, pid: 1 })).toBe(true))

  test.each([
    undefined,
    null,
    "owner",
    {},
    { ...owner, pid: 0 },
    { ...owner, pid: -1 },
    { ...owner, pid: 1.5 },
    { ...owner, pid: "7" },
    ...["machine", "boot", "namespace", "start", "host", "socket", "place", "nonce"].flatMap((key) => [
      { ...owner, [key]: 7 },
      { ...owner, [key]: undefined },
    ]),
  ])("is not %j", (value) => expect(isOwner(value)).toBe(false))

  test("is named with what is known of it", () => {
    expect([
      describeOwner({ ...owner, pid: 7 }, ""),
      describeOwner({ ...owner, pid: 7 }, "suspended"),
    ]).toEqual(["process 7 on h", "process 7 on h (suspended)"])
  })
})

test("this process is told once and for all", () => {
  expect(readThisProcess()).toBe(readThisProcess())
  expect(readThisProcess().pid).toBe(process.pid)
})

group.skipIf(process.platform !== "linux")("whether a process runs", () => {
  test("this one is known by all that tells it from others", () => {
    expect(readThisProcess()).toEqual({
      machine: expect.stringMatching(/^(?:[0-9a-f]{16})?$/),
      boot: expect.stringMatching(/^[0-9a-f-]{36}$/),
      namespace: expect.stringMatching(/^pid:\[\d+\]$/),
      pid: process.pid,
      start: expect.stringMatching(/^\d+$/),
    })
  })

  test.each([
    ["this one", {}, "same"],
    ["another of its number", { start: "1" }, "gone"],
    ["one that is not there", { pid: 2 ** 22 + 5 }, "gone"],
    ["one of another boot", { boot: "x" }, "unknown"],
    ["one of another namespace", { namespace: "pid:[1]" }, "unknown"],
    ["one whose namespace is not known", { namespace: "" }, "unknown"],
  ])("%s", (_, more, state) => expect(findOwnerState({ ...readThisProcess(), ...more })).toBe(state))
})

test("the folder of a socket is known by its device and its number", () => {
  const here = path.join(import.meta.dirname, "socket")
  expect(identifySocketFolder(here)).toMatch(/^\d+:\d+$/)
  expect(identifySocketFolder(here)).toBe(identifySocketFolder(path.join(import.meta.dirname, "other")))
  expect(identifySocketFolder("/socket")).toMatch(/^\d+:\d+$/)
  expect(identifySocketFolder("/socket")).not.toBe(identifySocketFolder(here))
  expect(identifySocketFolder("/is/not/there/socket")).toBe("")
})
