import { randomUUID } from "node:crypto"
import fs from "node:fs"

/**
 * Definitions that a command makes where no mount can prevent it. The result moves each aside, under a name that no format
 * reads, and tells where: nothing is removed, for it may be somebody else's.
 */
export async function watchDefinitions(
  definitions: () => Promise<readonly string[]>,
): Promise<() => Promise<readonly string[]>> {
  const before = new Set(await definitions())
  return async () =>
    (await definitions())
      .filter((file) => !before.has(file))
      .flatMap((file) => {
        const aside = `${file}.refused-${randomUUID().slice(0, 8)}`
        // Found under two names, it is gone after the first.
        if (!fs.lstatSync(file, { throwIfNoEntry: false })) return []
        moveAside(file, aside)
        return [aside]
      })
}

/** A link would lead to the same definitions by any name: a note of where it led takes its place. */
function moveAside(file: string, aside: string): void {
  if (!fs.lstatSync(file).isSymbolicLink()) return fs.renameSync(file, aside)
  fs.writeFileSync(aside, `${fs.readlinkSync(file)}\n`, { flag: "wx" })
  fs.unlinkSync(file)
}
