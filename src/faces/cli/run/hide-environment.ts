import fs from "node:fs"
import { isMainThread } from "node:worker_threads"
import { isHandedOn } from "../../../world/sandbox/child-environment.ts"

/**
 * Linux shows the environment that a process was started with, keys included, to every process of its user, for as long as
 * it runs. This overwrites all of it there that no command is handed; `process.env` keeps every value. Where cadre is called
 * with another environment, this process is somebody else's, and is left alone.
 */
export function hideEnvironment(environment: NodeJS.ProcessEnv): void {
  if (process.platform !== "linux" || environment !== process.env || !isMainThread) return
  const secret = new Set(
    Object.entries(process.env).flatMap(([name, value]) => (isHandedOn(name, value ?? "") ? [] : [name])),
  )
  // What is set anew lies elsewhere, so that nothing reads what is overwritten.
  for (const name of secret) {
    const value = process.env[name]
    delete process.env[name]
    process.env[name] = value
  }
  try {
    overwrite((name) => secret.has(name))
  } catch {
    // Without /proc nobody reads it there. Where the system keeps a process from its own memory, it stays readable.
  }
}

function overwrite(isSecret: (name: string) => boolean): void {
  const text = fs.readFileSync("/proc/self/stat", "latin1")
  // Behind the name of the program, which may hold anything; fields 50 and 51 are where the environment begins and ends.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const [start, end] = [Number(fields[47]), Number(fields[48])]
  if (!(start > 0 && end > start && end - start < mostBytes)) return
  const memory = fs.openSync("/proc/self/mem", "r+")
  try {
    const block = Buffer.alloc(end - start)
    if (fs.readSync(memory, block, 0, block.length, start) !== block.length) return
    // A system that numbers these fields otherwise would have something else overwritten.
    if (!block.equals(fs.readFileSync("/proc/self/environ"))) return
    for (let at = 0; at < block.length; ) {
      const next = block.indexOf(0, at)
      const stop = next < 0 ? block.length : next
      const name = block.subarray(at, stop).toString().split("=", 1)[0]!
      if (isSecret(name)) fs.writeSync(memory, Buffer.alloc(stop - at), 0, stop - at, start + at)
      at = stop + 1
    }
  } finally {
    fs.closeSync(memory)
  }
}

const mostBytes = 16 * 2 ** 20
