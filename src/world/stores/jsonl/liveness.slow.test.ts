import { spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import { expect, onTestFinished, test } from "vitest"
import { killOwner } from "./liveness.ts"
import { type ClaimOwner, readThisProcess } from "./owner.ts"

/** A process that waits, as the owner of a tree. */
async function waiting(): Promise<{ readonly owner: ClaimOwner; readonly isRunning: () => boolean }> {
  const child = spawn(process.execPath, ["-e", "console.log(1); setInterval(() => {}, 1000)"])
  onTestFinished(() => void child.kill("SIGKILL"))
  await once(child.stdout, "data")
  const start = fs.readFileSync(`/proc/${child.pid}/stat`, "latin1").split(") ").at(-1)!.split(" ")[19]!
  const owner = {
    ...readThisProcess(),
    pid: child.pid!,
    start,
    host: "here",
    socket: "/none",
    place: "",
    nonce: "n",
  }
  return { owner, isRunning: () => child.exitCode === null && child.signalCode === null }
}

test.skipIf(process.platform !== "linux").each<[string, Partial<ClaimOwner>, boolean]>([
  ["exactly the process in the header", {}, false],
  ["a process of another boot", { boot: "other" }, true],
  ["a process of an unknown boot", { boot: "" }, true],
  ["a process with another start", { start: "1" }, true],
  ["a process of another namespace", { namespace: "pid:[1]" }, true],
])("only the owner itself is killed: %s", async (_, more, isLeft) => {
  const { owner, isRunning } = await waiting()
  await killOwner({ ...owner, ...more })
  if (isLeft) expect(isRunning()).toBe(true)
  else await expect.poll(isRunning).toBe(false)
})
