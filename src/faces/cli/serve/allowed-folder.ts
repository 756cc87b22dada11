import { realpathSync, statSync } from "node:fs"
import path from "node:path"
import { CadreError } from "../../../ground/errors.ts"
import { isInside } from "../../../ground/paths/inside.ts"
import type { ProcessContext } from "../command.ts"
import { openTrustStore } from "../trust/trust.ts"

/** The real path of a folder that a host names: the served folder, one in it, or a workspace that the person trusts. */
export function findAllowedFolder(
  served: string,
  named: string | undefined,
  context: Pick<ProcessContext, "environment">,
): string {
  if (named === undefined) return served
  const folder = path.resolve(served, named)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new CadreError(
      "WORKSPACE_UNKNOWN",
      `There is no folder ${JSON.stringify(named)}. Leave workspace out to work in ${served}.`,
    )
  const real = realpathSync(folder)
  if (isInside(served, real) || openTrustStore(context).read(real)) return real
  throw new CadreError(
    "TRUST_REFUSED",
    `The folder ${JSON.stringify(named)} is not in ${served}, and the person has not trusted it. Leave workspace out, or have the person run \`cadre trust\` there.`,
  )
}
