import { spawn } from "node:child_process"
import fs from "node:fs"
import type { Writable } from "node:stream"
import { buildKernelArguments } from "./kernel-paths.ts"
import { buildSystemCallFilter, findMissingFilterReason } from "./system-call-filter.ts"

/** The path of bubblewrap, or the reason why it cannot be used. */
export type Sandbox = { readonly path: string } | { readonly problem: string }

/** Only these places count: a program that a PATH or a workspace names is not trusted to be a sandbox. */
const places = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"]

let cached: Promise<Sandbox> | undefined

/**
 * Looks for bubblewrap and tries it, once for each process. If it could not be tried, the next call tries
 * again.
 */
export function findSandbox(): Promise<Sandbox> {
  cached ??= searchSandbox(places).catch((error) => {
    cached = undefined
    throw error
  })
  return cached
}

/**
 * Looks for a sandbox for commands that work in a folder. In the root of the system, nothing could be kept
 * from them.
 */
export async function findFolderSandbox(root: string): Promise<Sandbox> {
  if (fs.realpathSync(root) !== "/") return findSandbox()
  return { problem: "the workspace is /, the whole system; start in the folder of a project" }
}

/** Looks for bubblewrap without trying it. */
export function lookForSandbox(
  paths: readonly string[] = places,
  { platform, arch }: Pick<NodeJS.Process, "platform" | "arch"> = process,
): Sandbox {
  if (platform !== "linux") return { problem: `bubblewrap only runs on Linux, and this is ${platform}` }
  const problem = findMissingFilterReason(arch)
  if (problem !== undefined) return { problem }
  const path = paths.find(isTrusted)
  if (path !== undefined) return { path }
  return {
    problem: `bubblewrap is not installed (looked for ${paths.join(" and ")}); install the package "bubblewrap"`,
  }
}

export async function searchSandbox(paths: readonly string[]): Promise<Sandbox> {
  const candidate = lookForSandbox(paths)
  if ("problem" in candidate) return candidate
  const { path } = candidate
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
    ...buildKernelArguments(),
    ...["--cap-drop", "ALL", "--seccomp", "3", "--die-with-parent"],
  ]
  const why = await tryOut(path, [...flags, "/bin/sh", "-c", "true"])
  if (why === undefined) return { path }
  return {
    problem: `${path} does not work here (${why}); are user namespaces allowed (kernel.unprivileged_userns_clone, AppArmor)?`,
  }
}

/**
 * The reason why bubblewrap fails; undefined if it works. Throws if this process lacks the resources to try
 * it.
 */
function tryOut(path: string, words: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, words, {
      env: {},
      stdio: ["ignore", "ignore", "pipe", "pipe"],
      timeout: 10_000,
    })
    let errors = ""
    child.on("error", (error: NodeJS.ErrnoException) =>
      isTemporary(error) ? reject(error) : resolve(error.message),
    )
    child.on("close", (code, signal) =>
      resolve(code === 0 ? undefined : errors.trim() || `it ended with ${signal ?? code}`),
    )
    // A pipe that could not be made is missing, and the error says why.
    child.stderr?.on("data", (chunk: Buffer) => {
      errors += chunk.toString()
    })
    const filter = child.stdio?.[3] as Writable | null | undefined
    filter?.on("error", () => {}).end(buildSystemCallFilter())
  })
}

/**
 * Such an error says nothing about the sandbox: no command may run without one because files or memory ran
 * out.
 */
const isTemporary = ({ code }: NodeJS.ErrnoException): boolean =>
  /^(?:EMFILE|ENFILE|EAGAIN|ENOMEM)$/.test(String(code))

/** True if only root could have put the file there. */
function isTrusted(path: string): boolean {
  const status = fs.statSync(path, { throwIfNoEntry: false })
  return status?.isFile() === true && status.uid === 0 && (status.mode & 0o022) === 0
}
