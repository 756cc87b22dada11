import { spawn } from "node:child_process"
import fs from "node:fs"
import type { Writable } from "node:stream"
import { kernelArguments } from "./kernel-paths.ts"
import { noFilter, systemCallFilter } from "./system-call-filter.ts"

/** Bubblewrap, or why there is none. */
export type Sandbox = { readonly path: string } | { readonly problem: string }

/** Only here: what a PATH or a workspace names is not trusted to be a sandbox. */
const places = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"]

let found: Promise<Sandbox> | undefined

/** Looks for bubblewrap and tries it, once for each process; again where it could not be tried. */
export function findSandbox(): Promise<Sandbox> {
  found ??= searchSandbox(places).catch((error) => {
    found = undefined
    throw error
  })
  return found
}

/** The same for commands that work in a folder: where that is the whole system there is nothing to keep from them. */
export async function sandboxFor(root: string): Promise<Sandbox> {
  if (fs.realpathSync(root) !== "/") return findSandbox()
  return { problem: "the workspace is /, the whole system; start in the folder that is worked in" }
}

/** The same without trying it. */
export function lookForSandbox(paths: readonly string[] = places): Sandbox {
  if (process.platform !== "linux")
    return { problem: `bubblewrap is for Linux, and this is ${process.platform}` }
  const problem = noFilter()
  if (problem !== undefined) return { problem }
  const path = paths.find(isTrusted)
  if (path !== undefined) return { path }
  return {
    problem: `bubblewrap is not installed (looked for ${paths.join(" and ")}); install the package "bubblewrap"`,
  }
}

export async function searchSandbox(paths: readonly string[]): Promise<Sandbox> {
  const found = lookForSandbox(paths)
  if ("problem" in found) return found
  const { path } = found
  const flags = [
    "--ro-bind",
    "/",
    "/",
    "--unshare-user",
    "--unshare-pid",
    "--unshare-net",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    ...kernelArguments(),
    ...["--cap-drop", "ALL", "--seccomp", "3", "--die-with-parent"],
  ]
  const why = await tryOut(path, [...flags, "/bin/sh", "-c", "true"])
  if (why === undefined) return { path }
  return {
    problem: `${path} does not work here (${why}); are user namespaces allowed (kernel.unprivileged_userns_clone, AppArmor)?`,
  }
}

/** Why it fails; undefined where it does not. Throws where this process has nothing left to try it with. */
function tryOut(path: string, words: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, words, {
      env: {},
      stdio: ["ignore", "ignore", "pipe", "pipe"],
      timeout: 10_000,
    })
    let errors = ""
    child.on("error", (error: NodeJS.ErrnoException) =>
      isForNow(error) ? reject(error) : resolve(error.message),
    )
    child.on("close", (code, signal) =>
      resolve(code === 0 ? undefined : errors.trim() || `it ended with ${signal ?? code}`),
    )
    // Where no pipe could be made there is none, and the error says why.
    child.stderr?.on("data", (chunk: Buffer) => {
      errors += chunk.toString()
    })
    const filter = child.stdio?.[3] as Writable | null | undefined
    filter?.on("error", () => {}).end(systemCallFilter())
  })
}

/** Says nothing of the sandbox: no command may run without one because files or memory had run out. */
const isForNow = ({ code }: NodeJS.ErrnoException): boolean =>
  /^(?:EMFILE|ENFILE|EAGAIN|ENOMEM)$/.test(code ?? "")

/** Nobody but root could have put it there. */
function isTrusted(path: string): boolean {
  const status = fs.statSync(path, { throwIfNoEntry: false })
  return status?.isFile() === true && status.uid === 0 && (status.mode & 0o022) === 0
}
