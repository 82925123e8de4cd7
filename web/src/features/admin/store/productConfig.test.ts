import { describe, expect, it } from "vitest";
import { productConfig, unchecked } from "./StoreTab.tsx";

function sent(price: string, stock: string) {
  return JSON.parse(
    JSON.stringify(unchecked({ ...productConfig.blank, price, stock_quantity: stock })),
  ) as object;
}

describe("a product without the rules", () => {
  it.each([
    ["24.90", 24.9],
    ["24,90", 24.9],
    [" 24900 ", 24_900],
    ["-5", -5],
    ["", 0],
  ])("sends the price %s, which has one reading", (typed, price) => {
    expect(sent(typed, "1")).toMatchObject({ price });
  });

  it.each(["1.234", "24.905", "24.900", "1,234", "1.234,50", "1e3", "0x10", "free", "."])(
    "sends no price for %s, so that it is refused",
    (typed) => {
      expect(sent(typed, "1")).toMatchObject({ price: null });
    },
  );

  it.each([
    ["40", 40],
    ["-1", -1],
    ["", 0],
    ["1.000", null],
    ["1,5", null],
    ["1e3", null],
    ["0x10", null],
  ])("sends the stock %s as %s", (typed, stock) => {
    expect(sent("1", typed)).toMatchObject({ stock_quantity: stock });
  });
});
