import fs from "node:fs"
import { foreignSockets } from "./foreign-sockets.ts"
import { keepLinks } from "./links.ts"
import { watchDefinitions } from "./made-definitions.ts"
import type { ProcessInput, ProcessLimits, ProcessResult } from "./process.ts"
import { Running } from "./running.ts"
import { guardMissing } from "./stand-ins.ts"

/** Runs a process in the sandbox, with everything around it that keeps the workspace as it may be. */
export async function runBoxed(
  path: string,
  input: ProcessInput,
  limits: ProcessLimits,
  words: readonly string[],
): Promise<ProcessResult | { readonly refused: string }> {
  const { root, writable = [], protected: names = [] } = input.bounds
  const guard = await guardMissing({ root, writable, names })
  try {
    const takeBack = await watchDefinitions(input.definitions ?? (async () => []))
    const putBack = keepLinks(root, names)
    for (let tries = 1; ; tries++) {
      const sockets = await foreignSockets([root, ...writable])
      const bounds = { ...input.bounds, protected: guard.places, sockets }
      const began = Date.now()
      const { failed, ...result } = await new Running({ ...input, bounds }, limits, { path, words }).ended
      removeMountPoints(sockets, began)
      if (failed !== undefined) {
        // Another program took its socket away meanwhile.
        if (tries < 5 && sockets.some((place) => failed.includes(place))) continue
        return { refused: `Not run: the sandbox could not be made (${failed}).` }
      }
      const [replaced, refusedDefinitions] = [putBack(), await takeBack()]
      return {
        ...result,
        ...(replaced.length > 0 && { replaced }),
        ...(refusedDefinitions.length > 0 && { refusedDefinitions }),
      }
    }
  } finally {
    await guard.free()
  }
}

/** Where a socket goes away before the sandbox is made, bubblewrap puts an empty file there that nobody may write. */
function removeMountPoints(sockets: readonly string[], began: number): void {
  for (const place of sockets) {
    const status = fs.lstatSync(place, { throwIfNoEntry: false })
    if (
      status?.isFile() &&
      status.size === 0 &&
      (status.mode & 0o777) === 0o444 &&
      status.birthtimeMs >= began
    )
      fs.rmSync(place, { force: true })
  }
}
