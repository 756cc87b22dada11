import { expect, test } from "vitest"
import type { Json } from "../../../ground/message.ts"
import { packProviderData, readProviderData } from "./provider-data.ts"

const origin = { host: "api.example.com", model: "m" }
const kept = packProviderData(origin, "responses", ["data"])

test("data is kept with whom it is from", () => {
  expect(kept).toEqual({ from: "api.example.com", model: "m", responses: ["data"] })
})

test.each<[string, Json | undefined, Json | undefined, Json | undefined]>([
  ["the same", kept, ["data"], ["data"]],
  ["another host", { from: "other", model: "m", responses: ["data"] }, undefined, undefined],
  ["another model", { from: "api.example.com", model: "n", responses: ["data"] }, ["data"], undefined],
  ["nobody who says so", { responses: ["data"] }, undefined, undefined],
  ["another protocol", packProviderData(origin, "anthropic", ["data"]), undefined, undefined],
  ["nobody", undefined, undefined, undefined],
  ["garbage", [1], undefined, undefined],
  ["null", null, undefined, undefined],
])("data of %s", (_, provider, forHost, forModel) => {
  expect([
    readProviderData(provider, origin, "responses", "host"),
    readProviderData(provider, origin, "responses", "model"),
  ]).toEqual([forHost, forModel])
})

test("what Anthropic signed was kept before origins were", () => {
  expect(readProviderData({ anthropic: ["data"] }, origin, "anthropic", "model")).toEqual(["data"])
})
