import fs from "node:fs"
import { findForeignSockets } from "./foreign-sockets.ts"
import { keepLinks } from "./links.ts"
import type { ProcessInput, ProcessLimits, ProcessResult } from "./process.ts"
import { RunningProcess } from "./running.ts"
import { makeStandIns } from "./stand-ins.ts"
import { watchDefinitions } from "./watch-definitions.ts"

/**
 * Runs a process in the sandbox, and keeps protected paths, links and definitions of the workspace as they
 * were.
 */
export async function runBoxed(
  path: string,
  input: ProcessInput,
  limits: ProcessLimits,
  words: readonly string[],
): Promise<ProcessResult | { readonly refused: string }> {
  const { root, writable = [], protected: names = [] } = input.bounds
  const standIns = await makeStandIns({ root, writable, names })
  try {
    const moveDefinitionsAside = await watchDefinitions(input.definitions ?? (async () => []))
    const restoreLinks = keepLinks(root, names)
    for (let tries = 1; ; tries++) {
      const sockets = await findForeignSockets([root, ...writable])
      const bounds = { ...input.bounds, protected: standIns.places, sockets }
      const startTime = Date.now()
      const { failed, ...result } = await new RunningProcess({ ...input, bounds }, limits, { path, words })
        .whenEnded
      removeMountPoints(sockets, startTime)
      if (failed !== undefined) {
        // Another program removed its socket in the meantime.
        if (tries < 5 && sockets.some((place) => failed.includes(place))) continue
        return { refused: `Not run: the sandbox could not be set up (${failed}).` }
      }
      const [replaced, refusedDefinitions] = [restoreLinks(), await moveDefinitionsAside()]
      return {
        ...result,
        ...(replaced.length > 0 && { replaced }),
        ...(refusedDefinitions.length > 0 && { refusedDefinitions }),
      }
    }
  } finally {
    await standIns.free()
  }
}

/**
 * If a socket disappears before the sandbox is made, bubblewrap leaves an empty file there that no user may
 * write.
 */
function removeMountPoints(sockets: readonly string[], startTime: number): void {
  for (const place of sockets) {
    const status = fs.lstatSync(place, { throwIfNoEntry: false })
    if (
      status?.isFile() &&
      status.size === 0 &&
      (status.mode & 0o777) === 0o444 &&
      status.birthtimeMs >= startTime
    )
      fs.rmSync(place, { force: true })
  }
}
