import { expect, test } from "vitest"
import { png } from "../../../test/attachment-kit.ts"
import { world } from "../../../test/kit.ts"
import { named } from "../../../test/named-models.ts"
import { naming } from "../../../test/naming.ts"
import type { Model, ModelSource } from "../../agent/model.ts"

const attachments = [
  { data: png(30, 20), name: "one.png" },
  { data: png(20, 30), name: "two.png" },
]
const agents = [{ name: "a", instructions: "Look.", model: "m" }]

/** The attachments that a dry run says are not shown to a model that sees these types. */
async function unseen(sees: NonNullable<Model["sees"]>, given: typeof attachments) {
  const models: ModelSource = {
    ...named(() => expect.unreachable("no model is asked")),
    foresee: async () => ({ id: "m", sees }),
  }
  const { runtime } = world({ script: {}, agents, runtime: { models } })
  const { unseen, start } = await runtime.dryRun("a", "Go.", { attachments: given })
  expect(start).toMatchObject({ type: "run-start", agent: "a" })
  return unseen
}

test("a dry run tells which attachments a model would not be shown", async () => {
  expect(await unseen([], attachments)).toEqual([naming("one.png", "to m"), naming("two.png", "to m")])
  expect(await unseen(["image/png"], attachments)).toEqual([])
  expect(await unseen([], [])).toEqual([])
})

test("a run that would not start has no attachments to tell of", async () => {
  const { runtime } = world({ script: {}, agents })
  const { unseen, start, problems } = await runtime.dryRun("a", "Go.", { attachments, continues: "none" })
  expect([unseen, start, problems.length > 0]).toEqual([[], undefined, true])
})
