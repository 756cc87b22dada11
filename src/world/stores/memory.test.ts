import { test } from "vitest"
import { storeCases } from "../../../test/stores/store-cases.ts"
import { storeContract } from "../../faces/testing/store-contract.ts"
import { memoryStore } from "./memory.ts"

storeContract({
  name: "memory",
  test,
  async open() {
    const store = memoryStore()
    return { store, again: async () => store }
  },
})

storeCases(memoryStore)
