import path from "node:path"
import { type TrustItem, TrustStore } from "../../src/definitions/authority/trust.ts"
import { readWorkspaceTrust, type WorkspaceTrust } from "../../src/definitions/authority/workspace-trust.ts"
import { openWorkspace, type Workspace } from "../../src/definitions/registry/workspace.ts"
import { temporaryFolder } from "../file-kit.ts"

/** A project in `work` and a home folder in `home`, with a record of trust. */
export interface TestProject {
  readonly base: string
  readonly work: string
  readonly home: string
  readonly environment: NodeJS.ProcessEnv
  workspace(cwd?: string): Workspace
  standing(): WorkspaceTrust
  /** Trusts these files, or all, as they are now. */
  trust(chosen?: (file: string) => boolean, more?: readonly TrustItem[]): void
  /** Paths below the base folder, to compare them. */
  below(files: readonly string[]): readonly string[]
}

export function testProject(files: Readonly<Record<string, string>>): TestProject {
  const base = temporaryFolder({ "work/.git/HEAD": "", "home/file": "", ...files })
  const [work, home] = [path.join(base, "work"), path.join(base, "home")]
  const environment = { HOME: home }
  const store = new TrustStore(path.join(base, "state"))
  const workspace = (cwd = work) => openWorkspace({ cwd, home, environment })
  const standing = () => readWorkspaceTrust(workspace(), work, store)
  return {
    base,
    work,
    home,
    environment,
    workspace,
    standing,
    trust: (chosen = () => true, more = []) => {
      const items = standing().claims.filter(({ file }) => chosen(path.relative(work, file)))
      store.grant(work, [...items, ...more], home)
    },
    below: (files) => files.map((file) => path.relative(base, file)),
  }
}
