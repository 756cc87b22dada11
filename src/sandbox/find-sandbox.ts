import { execFile } from "node:child_process"
import fs from "node:fs"
import { promisify } from "node:util"

/** Bubblewrap, or why there is none. */
export type Sandbox = { readonly path: string } | { readonly problem: string }

/** Only here: what a PATH or a workspace names is not trusted to be a sandbox. */
const places = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"]

let found: Promise<Sandbox> | undefined

/** Looks for bubblewrap and tries it, once for each process. */
export function findSandbox(): Promise<Sandbox> {
  found ??= searchSandbox(places)
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
  ]
  try {
    await promisify(execFile)(path, [...flags, "--die-with-parent", "/bin/sh", "-c", "true"], {
      timeout: 10_000,
      env: {},
    })
    return { path }
  } catch (error) {
    const why = String((error as { stderr?: unknown }).stderr || error).trim()
    return {
      problem: `${path} does not work here (${why}); are user namespaces allowed (kernel.unprivileged_userns_clone, AppArmor)?`,
    }
  }
}

/** Nobody but root could have put it there. */
function isTrusted(path: string): boolean {
  const status = fs.statSync(path, { throwIfNoEntry: false })
  return status?.isFile() === true && status.uid === 0 && (status.mode & 0o022) === 0
}
