import fs from "node:fs"
import { describe, expect, test } from "vitest"
import { listFolderNames } from "./names-in.ts"
import {
  countNamespaceProcesses,
  findLedProcesses,
  findMarkedProcesses,
  killMarked,
  processCount,
  sendSignal,
} from "./processes.ts"

/** Linux gives no process such a number. */
const nobody = 2 ** 22 + 5

describe.runIf(process.platform === "linux")("the processes of this machine", () => {
  const session = (id: number) =>
    Number(fs.readFileSync(`/proc/${id}/stat`, "latin1").split(") ").at(-1)!.split(" ")[3])

  test("are found by the session that they are in", () => {
    expect(findLedProcesses(session(process.pid))).toContain(process.pid)
    expect(findLedProcesses(nobody)).toEqual([])
  })

  test("are found by their session whatever their name has in it", () => {
    const { title } = process
    try {
      process.title = "a) S 1 1"
      expect(findLedProcesses(session(process.pid))).toContain(process.pid)
    } finally {
      process.title = title
    }
  })

  test("are found by a variable, and this one never is", () => {
    const [entry] = fs.readFileSync(`/proc/${process.ppid}/environ`, "latin1").split("\0")
    const at = entry!.indexOf("=")
    const [name, value] = [entry!.slice(0, at), entry!.slice(at + 1)]
    const found = findMarkedProcesses(name, value)
    expect([found.includes(process.ppid), found.includes(process.pid)]).toEqual([true, false])
    expect(findMarkedProcesses(name, `${value}-and-more`)).toEqual([])
    expect(findMarkedProcesses(name.slice(1), value)).not.toContain(process.ppid)
  })

  test("of a namespace are counted, and of an unknown one there are none", () => {
    const count = countNamespaceProcesses(process.pid)
    expect([count > 1, count <= processCount() + 5, countNamespaceProcesses(nobody)]).toEqual([true, true, 0])
  })

  test("are killed until none is left, and there may be none", async () => {
    const { kill } = process
    const killed: unknown[] = []
    try {
      process.kill = (...given) => {
        killed.push(given)
        return true
      }
      await killMarked("CADRE_TEST_OF_NOBODY", "x")
    } finally {
      process.kill = kill
    }
    expect(killed).toEqual([])
  })

  test("that are gone take a signal without a failure", () => {
    expect(() => sendSignal(nobody, "SIGTERM")).not.toThrow()
  })
})

test("a signal goes to the process that it is for", () => {
  const { kill } = process
  const killed: unknown[] = []
  try {
    process.kill = (...given) => {
      killed.push(given)
      return true
    }
    sendSignal(-7, "SIGTERM")
  } finally {
    process.kill = kill
  }
  expect(killed).toEqual([[-7, "SIGTERM"]])
})

test("a folder that cannot be read has no names", () => {
  expect([listFolderNames("/nothing-there"), listFolderNames(import.meta.filename)]).toEqual([[], []])
  expect(listFolderNames(import.meta.dirname)).toContain("processes.ts")
})
