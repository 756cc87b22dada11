import { expect, test } from "vitest"
import type { Model, ModelReply, ModelRequest } from "../../src/agent/model.ts"
import type { Attachment, Message } from "../../src/ground/message.ts"
import type { Store } from "../../src/run/log/store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { pdf, png } from "../attachment-kit.ts"
import { expectSound, tool, world } from "../kit.ts"
import { naming } from "../naming.ts"
import { fail, one, overflow, recorded, say, usage, use } from "./asked-model.ts"

const everything: NonNullable<Model["sees"]> = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "application/pdf",
]

/** A model that says what it was shown: each message with the content of its attachments. */
function looking(answer: (request: ModelRequest, number: number) => ModelReply, sees = everything) {
  const shown: (readonly [text: string, ...content: string[]])[][] = []
  const asked: (readonly Message[])[] = []
  const model: Model = {
    id: "m",
    sees,
    stream: async (request) => {
      asked.push([...request.messages])
      shown.push(
        [...request.messages].map((message) => [message.text, ...contentOf(request, message)] as const),
      )
      return answer(request, shown.length)
    },
  }
  return { model, shown, asked }
}

const contentOf = (request: ModelRequest, message: Message): readonly string[] =>
  message.role === "assistant"
    ? []
    : (message.attachments ?? []).map((one) => request.contentOf?.(one) ?? "gone")

const of = (model: Model, ...tools: ReturnType<typeof tool>[]) =>
  world({ script: {}, agents: one, tools, runtime: { resolveModel: async () => model } })

const picture = png(30, 20)
const base64 = picture.toString("base64")
const photo = { data: picture, name: "photo.png" }

test("a task and a result are shown with what came with them, by reference to blobs", async () => {
  const { model, shown } = looking((_, number) => (number === 1 ? use("look") : say("seen")))
  const look = tool("look", () => ({
    text: "The plan:",
    attachments: [{ mediaType: "application/pdf", data: pdf(2).toString("base64"), name: "plan.pdf" }],
  }))
  const { runtime, store } = of(model, look)
  const { outcome, run, proof } = await runtime.run("a", "What is this?", { attachments: [photo] }).done
  expect(outcome).toEqual({ type: "completed" })
  expect(shown).toEqual([
    [["What is this?", base64]],
    [["What is this?", base64], [""], ["The plan:", pdf(2).toString("base64")]],
  ])
  expect(proof.warnings).toEqual([])
  const events = await recorded(store, run)
  const [start] = events
  expect(start).toMatchObject({
    attachments: [{ mediaType: "image/png", size: picture.length, width: 30, height: 20, name: "photo.png" }],
  })
  expect(events.find(({ type }) => type === "tool-end")).toMatchObject({
    result: {
      text: "The plan:",
      attachments: [{ mediaType: "application/pdf", size: pdf(2).length, pages: 2, name: "plan.pdf" }],
    },
  })
  expect(JSON.stringify(events)).not.toContain(base64)
  const { attachments } = start as unknown as { readonly attachments: readonly Attachment[] }
  expect(await store.getBlob(run, attachments[0]!.blob)).toBe(base64)
  await expectSound(store, run)
})

test("what is attached counts in the estimate", async () => {
  const { model } = looking(() => say("seen"))
  const { runtime, store } = of(model)
  const reservedWith = async (...attachments: (typeof photo)[]) => {
    const { run } = await runtime.run("a", "go", { attachments }).done
    const start = (await recorded(store, run)).find((event) => event.type === "model-start")
    return (start as { reserved: { inputTokens: number } }).reserved.inputTokens
  }
  const none = await reservedWith()
  const counted = async (data: Buffer) => (await reservedWith({ data, name: "x" })) - none
  expect(await counted(png(30, 20))).toBe(1)
  expect(await counted(png(1000, 900))).toBe(1200)
  expect(await counted(png(8000, 8000))).toBe(5000)
  expect(await counted(pdf(3))).toBe(9000)
  expect(await counted(Buffer.from(`%PDF-1.5\n${"x".repeat(40_000)}\n%%EOF`))).toBe(10_004)
})

test("a model that cannot see is told so in the text, and the caller once", async () => {
  const { model, shown, asked } = looking((_, number) => (number <= 2 ? use("look") : say("blind")), [])
  const { runtime, store } = of(
    model,
    tool("look", () => "nothing"),
  )
  const { run, proof } = await runtime.run("a", "Look.", {
    attachments: [photo, { data: pdf(), name: "plan.pdf" }],
  }).done
  const told = naming(
    "Look.\n[photo.png (PNG picture)",
    "pictures",
    "]\n[plan.pdf (PDF document)",
    "PDF documents",
    "]",
  )
  expect(shown.map(([first]) => first)).toEqual([[told], [told], [told]])
  expect(new Set(asked.map(([first]) => first)).size).toBe(1)
  expect(proof.warnings).toEqual([
    "photo.png was not shown to m, which does not read pictures.",
    "plan.pdf was not shown to m, which does not read PDF documents.",
  ])
  const starts = (await recorded(store, run)).filter(({ type }) => type === "model-start")
  expect(
    starts.map((event) => ("unseen" in event ? event.unseen?.map(({ name, why }) => [name, why]) : [])),
  ).toEqual([
    [
      ["photo.png", "type"],
      ["plan.pdf", "type"],
    ],
    [],
    [],
  ])
  expect((await runtime.read(run)).proof.warnings).toEqual(proof.warnings)
})

test("a picture whose content is gone is told of to the model and to the caller", async () => {
  const { model, shown } = looking(() => say("ok"))
  const store = memoryStore()
  const runtimeOn = (kept: Store) =>
    world({ script: {}, agents: one, store: kept, runtime: { resolveModel: async () => model } }).runtime
  const { run } = await runtimeOn(store).run("a", "Look.", { attachments: [photo] }).done
  const getBlob: Store["getBlob"] = async (of, blob) => {
    const content = await store.getBlob(of, blob)
    return content === base64 ? undefined : content
  }
  const { proof } = await runtimeOn({ ...store, getBlob }).run("a", "Again?", { continues: run }).done
  expect(shown.at(-1)).toEqual([
    [expect.stringMatching(/^Look\.\n\[photo\.png \(PNG picture\).*guess/s)],
    ["ok"],
    ["Again?"],
  ])
  expect(proof.warnings).toEqual([expect.stringMatching(/^photo\.png.*m.*\(blob.*[0-9a-f]{8}\)/)])
})

test("one that sees pictures alone is shown those", async () => {
  const { model, shown } = looking(() => say("ok"), ["image/png"])
  const { runtime } = of(model)
  const { proof } = await runtime.run("a", "Look.", { attachments: [{ data: pdf() }, photo] }).done
  expect(shown).toEqual([
    [[expect.stringMatching(/^Look\.\n\[An attachment \(PDF document\).*PDF documents.*guess/s), base64]],
  ])
  expect(proof.warnings).toEqual([
    expect.stringMatching(
      /^A PDF document \([0-9a-f]{8}\) was not shown to m, which does not read PDF documents\.$/,
    ),
  ])
})

test("the oldest are left out where all of them are too much for one request", async () => {
  const large = (name: string) => ({ data: pdf(1, 7_000_000), name })
  const { model, shown } = looking((_, number) => (number === 1 ? use("look") : say("ok")))
  const { runtime } = of(
    model,
    tool("look", () => ({ text: "Newer.", attachments: [large("c.pdf")] })),
  )
  const { proof } = await runtime.run("a", "Look.", { attachments: [large("a.pdf"), large("b.pdf")] }).done
  const left = ["attachments"]
  expect(shown.map((messages) => messages.map(([text, ...content]) => [text, content.length]))).toEqual([
    [["Look.", 2]],
    [
      [naming("Look.\n[a.pdf (PDF document) is no longer shown: ", ...left, ".]"), 1],
      ["", 0],
      ["Newer.", 1],
    ],
  ])
  expect(proof.warnings).toEqual([naming("a.pdf was no longer shown to m: ", ...left, ".")])
})

test("what is too large is left out with a note to the model and a warning", async () => {
  const { model, shown } = looking((_, number) => (number === 1 ? use("look") : say("ok")))
  const pages = Buffer.concat([
    Buffer.from("%PDF-1.7\n/Type /Page\n"),
    Buffer.alloc(16_000_000, 32),
    Buffer.from("\n%%EOF\n"),
  ])
  const large = { data: pages, name: "large.pdf" }
  const { runtime } = of(
    model,
    tool("look", () => ({ text: "Here.", attachments: [large, photo] })),
  )
  const note = ["large.pdf", "16 MB, at most 15 MB", "fewer"]
  const { proof } = await runtime.run("a", "Look.", { attachments: [large] }).done
  expect(shown.at(-1)).toEqual([
    [naming("Look.\n\n[", ...note, "]")],
    [""],
    [naming("Here.\n[", ...note, "]"), base64],
  ])
  expect(proof.warnings).toEqual([naming(...note), naming(...note)])
})

test.each([
  ["no list", "photo.png"],
  ["neither bytes nor base64", [{ mediaType: "image/png", data: 7 }]],
  ["no base64", [{ mediaType: "image/png", data: "data:image/png;base64,AAAA" }]],
  ["a name that is none", [{ mediaType: "image/png", data: picture, name: 7 }]],
])("a tool that gives attachments as %s is told to be at fault", async (_, attachments) => {
  const { model, shown } = looking((_, number) => (number === 1 ? use("look") : say("ok")))
  const { runtime } = of(
    model,
    tool("look", () => ({ text: "Here.", attachments })),
  )
  await runtime.run("a", "Look.").done
  expect(shown.at(-1)!.at(-1)).toEqual([expect.stringMatching(/look returned attachments.*shape/)])
})

test("what a tool gives that is no picture or broken is told in its place", async () => {
  const { model, shown } = looking((_, number) => (number === 1 ? use("look") : say("ok")))
  const broken = { mediaType: "image/png", data: picture.subarray(0, 20), name: "cut.png" }
  const { runtime } = of(
    model,
    tool("look", () => ({
      text: "Here.",
      attachments: [broken, { mediaType: "image/png", data: Buffer.from("text") }],
    })),
  )
  await runtime.run("a", "Look.").done
  expect(shown.at(-1)!.at(-1)).toEqual([
    naming("Here.\n[cut.png", "damaged", "]\n[", "type is unknown", "PNG, JPEG, GIF and WebP"),
  ])
})

test.each([
  [
    "a file that is not there",
    { path: "nowhere.png" },
    /^nowhere\.png cannot be attached: there is no such file/,
  ],
  ["a file of another type", { path: "package.json" }, /^package\.json.*documents/],
  ["no base64", { data: "?", name: "x.png" }, /^The data of x\.png is neither bytes nor base64\.$/],
  ["a broken one", { data: picture.subarray(0, 30), name: "x.png" }, /^x\.png is not a complete PNG picture/],
])("a run does not start with %s", async (_, attachment, message) => {
  const { runtime } = of(looking(() => say("ok")).model)
  await expect(runtime.run("a", "Look.", { attachments: [attachment] }).done).rejects.toMatchObject({
    code: "ATTACHMENT_INVALID",
    message: expect.stringMatching(message),
  })
})

test("a run that continues another is shown what that one was", async () => {
  const { model, shown } = looking(() => say("seen"))
  const { runtime } = of(model)
  const { run } = await runtime.run("a", "What is this?", { attachments: [photo] }).done
  await runtime.run("a", "And now?", { continues: run, attachments: [{ data: pdf() }] }).done
  expect(shown.at(-1)).toEqual([["What is this?", base64], ["seen"], ["And now?", pdf().toString("base64")]])
})

test("a child is not shown what its caller is, unless it starts with its history", async () => {
  const { model, shown } = looking((request, number) =>
    request.agent === "a" && number === 1
      ? {
          text: "",
          calls: ["plain", "forked"].map((agent) => ({
            wire: agent,
            tool: "Agent",
            arguments: JSON.stringify({ agent, prompt: `For ${agent}.` }),
          })),
          usage,
          stop: "calls",
        }
      : say("done"),
  )
  const { runtime } = world({
    script: {},
    agents: [
      { name: "a", instructions: "You are a.", tools: ["Agent"] },
      { name: "plain", instructions: "You are plain." },
      { name: "forked", instructions: "You are forked.", context: { fork: true } },
    ],
    runtime: { resolveModel: async () => model },
  })
  await runtime.run("a", "Look.", { attachments: [photo] }).done
  expect(shown.filter((messages) => messages.at(-1)![0].startsWith("For "))).toEqual([
    [["For plain."]],
    [["Look.", base64], ["For forked."]],
  ])
})

test("a history that is made shorter loses what old results showed, and says so", async () => {
  const wide = png(1000, 900)
  const { model, shown } = looking((request, number) =>
    number <= 3
      ? use("look")
      : [...request.messages].some(({ text }) => text.includes("Removed to make room"))
        ? say("done")
        : fail(overflow),
  )
  const { runtime, store } = of(
    model,
    tool("look", () => ({ text: "Here.", attachments: [{ data: wide, name: "wide.png" }] })),
  )
  const { outcome, run } = await runtime.run("a", "Look.").done
  expect(outcome).toEqual({ type: "completed" })
  expect(shown.at(-1)).toEqual([
    ["Look."],
    [""],
    ["Here.\n[Removed to make room: wide.png.]"],
    [""],
    ["Here.\n[Removed to make room: wide.png.]"],
    [""],
    ["Here.", wide.toString("base64")],
  ])
  await expectSound(store, run)
})
