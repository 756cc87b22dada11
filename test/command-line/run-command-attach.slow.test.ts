import { writeFileSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { pdf, png } from "../attachment-kit.ts"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
  world.agent("looker")
  world.script({ looker: [{ text: "Seen." }] })
  writeFileSync(path.join(world.work, "photo.png"), png(30, 20))
  writeFileSync(path.join(world.work, "plan.dat"), pdf(2))
  writeFileSync(path.join(world.work, "notes.png"), "no picture")
})
afterEach(() => world.remove())

const look = (...words: readonly string[]) => world.cadre("run", "looker", "Look.", ...words, ...world.model)

test("files are attached to the task, and a model that cannot see them is told", async () => {
  const { result } = await world.json(
    ...["run", "looker", "Look.", "--attach", "photo.png", "--attach", "plan.dat"],
    ...world.model,
  )
  expect(result.warnings).toEqual([
    expect.stringMatching(/^photo\.png was not shown to script.*, which does not read pictures\.$/),
    expect.stringMatching(/^plan\.dat was not shown to script.*, which does not read PDF documents\.$/),
  ])
  const { stdout } = await world.cadre("log", result.id, "--events")
  expect(stdout).toMatch(/run-start .*; attachments: photo\.png, plan\.dat/)
  expect(stdout).toMatch(/model-start .*unseen: photo\.png, plan\.dat/)
})

test.each([
  ["nowhere.png", /nowhere\.png cannot be attached: there is no such file/],
  ["notes.png", /notes\.png cannot be shown.*PNG, JPEG, GIF and WebP.*PDF/],
])("%s is a wrong command line", async (file, why) => {
  const told = { code: 2, stdout: "", stderr: expect.stringMatching(why) }
  expect(await look("--attach", file)).toEqual(told)
  const dry = await look("--attach", file, "--dry-run")
  expect([dry.code, dry.stdout]).toEqual([2, expect.stringMatching(why)])
})

test("a dry run says what would be attached", async () => {
  const { code, stdout } = await look("--attach", "photo.png", "--attach", "plan.dat", "--dry-run")
  expect(code).toBe(0)
  expect(stdout).toContain(
    `photo.png (image/png, 30 × 20 pixels, ${png(30, 20).length} bytes); plan.dat (application/pdf, 2 pages, ${pdf(2).length} bytes)`,
  )
})

test("show says what a model would be sent with the task", async () => {
  const { code, stdout } = await world.cadre("show", "looker", "--task", "Look.", "--attach", "photo.png")
  expect(code).toBe(0)
  expect(stdout).toContain(
    `--- user\nLook.\n[with photo.png (image/png, 30 × 20 pixels, ${png(30, 20).length} bytes)]\n`,
  )
  const wrong = await world.cadre("show", "looker", "--task", "Look.", "--attach", "notes.png")
  expect(wrong.stdout).toContain("notes.png cannot be shown to")
})
