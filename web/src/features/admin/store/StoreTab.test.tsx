import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { aProduct, keepRows, openTab } from "../../../testing/backOffice.ts";
import { refuseCall } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";

const PATH = "/api/admin/products";

describe("the list of products", () => {
  it("shows price, stock, category and badges", async () => {
    keepRows(
      PATH,
      aProduct({ featured: true }),
      aProduct({ id: "b", title: "Old Shirt", active: false }),
    );
    openTab("store");
    const slipmat = within(await screen.findByRole("article", { name: "Slipmat" }));
    for (const text of ["12.50", "40", "Merch", "Featured"]) slipmat.getByText(text);
    expect(slipmat.queryByText("Inactive")).toBeNull();
    within(screen.getByRole("article", { name: "Old Shirt" })).getByText("Inactive");
  });

  it("cuts descriptions to 150 characters", async () => {
    keepRows(PATH, aProduct({ description: "x".repeat(151) }));
    openTab("store");
    expect(await screen.findByText(`${"x".repeat(150)}...`)).toBeTruthy();
  });

  it("says that it cannot be read", async () => {
    refuseCall("get", PATH, 422, { code: "refused" });
    openTab("store");
    expect(await screen.findAllByText("Failed to load products")).not.toEqual([]);
  });

  it("takes a product off sale and puts it back, straight from the list", async () => {
    const kept = keepRows(PATH, aProduct());
    const { user } = openTab("store");
    const toggle = await screen.findByRole<HTMLInputElement>("switch", { name: "Active: Slipmat" });
    await user.click(toggle);
    expect(await screen.findByText("Product deactivated successfully")).toBeTruthy();
    expect(screen.getByText("Inactive")).toBeTruthy();
    await user.click(toggle);
    expect(await screen.findByText("Product activated successfully")).toBeTruthy();
    expect(kept.sent.map(({ body }) => body)).toEqual([{ active: false }, { active: true }]);
  });

  it("puts the switch back where the server did not follow", async () => {
    const kept = keepRows(PATH, aProduct());
    const { user } = openTab("store");
    const toggle = await screen.findByRole<HTMLInputElement>("switch", { name: "Active: Slipmat" });
    kept.refuseNext(500, { code: "internal" });
    await user.click(toggle);
    expect(await screen.findAllByText("Failed to update product status")).not.toEqual([]);
    expect(toggle.checked).toBe(true);
  });
});

describe("the form of a product", () => {
  async function openNew() {
    const kept = keepRows(PATH);
    const app = openTab("store");
    await app.user.click(await screen.findByRole("button", { name: "Add Product" }));
    const form = within(await screen.findByRole("dialog", { name: "Add New Product" }));
    await app.user.type(form.getByLabelText("Title"), "Mug");
    return { ...app, kept, form };
  }

  it("begins with blank numbers, which are 0", async () => {
    const { user, form, kept } = await openNew();
    expect(form.getByLabelText<HTMLInputElement>("Price").value).toBe("");
    expect(form.getByLabelText<HTMLInputElement>("Stock").value).toBe("");
    form.getByText("Saved as 0.00");
    form.getByText("Saved as 0");
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Product created successfully")).toBeTruthy();
    expect(kept.sent[0]?.body).toMatchObject({ title: "Mug", price: 0, stock_quantity: 0 });
  });

  it.each([
    ["24.90", "24.90", 24.9],
    ["24,90", "24.90", 24.9],
    ["1.234,50", "1\u00a0234.50", 1234.5],
    ["1,234.50", "1\u00a0234.50", 1234.5],
    ["24900", "24\u00a0900.00", 24_900],
    ["free", "0.00", 0],
  ])("says what it understands of %s before it is saved", async (typed, said, price) => {
    const { user, form, kept } = await openNew();
    const field = form.getByLabelText<HTMLInputElement>("Price");
    await user.click(field);
    await user.keyboard(typed);
    expect(form.getByText(`Saved as ${said}`, { normalizer: (text) => text })).toBeTruthy();
    expect(field.value).toBe(typed);
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Product created successfully")).toBeTruthy();
    expect(kept.sent[0]?.body).toMatchObject({ price });
  });

  it.each(["1.234", "1,234", "24.905"])("refuses %s, which has two readings", async (typed) => {
    const { user, form, kept } = await openNew();
    await user.type(form.getByLabelText("Price"), typed);
    await user.click(form.getByRole("button", { name: "Save" }));
    const list = await form.findByRole("list", { name: "What is wrong" });
    expect(list.textContent).toContain("Price is not clear");
    expect(form.getByLabelText<HTMLInputElement>("Price").value).toBe(typed);
    expect(kept.sent).toEqual([]);
  });

  it("replaces a price that is clicked and typed over", async () => {
    const kept = keepRows(PATH, aProduct());
    const { user } = openTab("store");
    await user.click(await screen.findByRole("button", { name: "Edit Slipmat" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit Product" }));
    await user.click(form.getByLabelText("Price"));
    await user.keyboard("24.90");
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Product updated successfully")).toBeTruthy();
    expect(kept.sent[0]?.body).toMatchObject({ price: 24.9 });
  });

  it("is saved where only the answer got lost", async () => {
    const kept = keepRows(PATH, aProduct());
    const { user } = openTab("store");
    await user.click(await screen.findByRole("button", { name: "Edit Slipmat" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit Product" }));
    await user.click(form.getByLabelText("Price"));
    await user.keyboard("12");
    await user.type(form.getByLabelText("Title"), " ");
    const lose = () => {
      kept.rows = [aProduct({ price: 12, version: aProduct().version + 1 })];
      return HttpResponse.error();
    };
    server.use(http.put(`*${PATH}/:id`, lose, { once: true }));
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Product updated successfully")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Edit Product" })).toBeNull());
  });

  it("refuses numbers out of range, and leaves them as typed", async () => {
    const { user, form, kept } = await openNew();
    const price = form.getByLabelText<HTMLInputElement>("Price");
    await user.clear(price);
    await user.type(price, "-5");
    await user.clear(form.getByLabelText("Stock"));
    await user.type(form.getByLabelText("Stock"), "1.5");
    await user.click(form.getByRole("button", { name: "Save" }));
    const list = await form.findByRole("list", { name: "What is wrong" });
    expect(list.textContent).toContain("Price must be positive");
    expect(list.textContent).toContain("Stock must be a whole number");
    expect(price.value).toBe("-5");
    expect(kept.sent).toEqual([]);
  });
});
