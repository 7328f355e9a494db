// Searchable tree of all channels, to choose those of one plot.

import { byId, make } from "../dom";
import type { Channel, Run } from "../run_data";
import { prettyUnit } from "../units";
import type { Plot } from "./plot";

const kGroupOrder = ["wheels", "bodies", "joints", "motors", "contacts", "soil", "system"];

interface Leaf {
  element: HTMLElement;
  text: string;
  boxes: { input: HTMLInputElement; path: string; column: number }[];
}

interface Branch {
  element: HTMLDetailsElement;
  leaves: Leaf[];
}

export class ChannelTree {
  private readonly dialog = byId<HTMLDialogElement>("channel-dialog");
  private readonly search = byId<HTMLInputElement>("channel-search");
  private readonly list = byId("channel-list");
  private readonly nothing = byId("channel-nothing");
  private branches: Branch[] = [];
  private plot: Plot | null = null;

  constructor(private readonly runs: Run[], private readonly toggle: (plot: Plot, path: string, column: number) => Plot) {
    this.search.addEventListener("input", () => this.filter());
    byId("channel-close").addEventListener("click", () => this.dialog.close());
    this.build();
  }

  open(plot: Plot): void {
    this.plot = plot;
    this.search.value = "";
    this.filter();
    this.update();
    this.dialog.showModal();
    this.search.focus();
  }

  /** Ticks follow what the plot shows. */
  update(): void {
    for (const { leaves } of this.branches)
      for (const { boxes } of leaves)
        for (const { input, path, column } of boxes)
          input.checked = this.plot?.has({ path, column }) ?? false;
  }

  private build(): void {
    const channels = new Map<string, Channel>();
    for (const run of this.runs) for (const channel of run.channels) channels.set(channel.path, channel);
    const groups = new Map<string, Map<string, Channel[]>>();
    for (const channel of channels.values()) {
      const words = channel.path.split("/");
      const group = words[0]!;
      const owner = words.slice(1, -1).join("/");
      const owners = groups.get(group) ?? new Map<string, Channel[]>();
      owners.set(owner, [...(owners.get(owner) ?? []), channel]);
      groups.set(group, owners);
    }
    const order = (group: string) => (kGroupOrder.indexOf(group) + 100) % 100;
    const names = [...groups.keys()].sort((a, b) => order(a) - order(b));
    this.list.replaceChildren(...names.map((name) => this.groupElement(name, groups.get(name)!)));
  }

  private groupElement(name: string, owners: Map<string, Channel[]>): HTMLElement {
    const group = make("details", { class: "group" }, make("summary", {}, name));
    const branch: Branch = { element: group, leaves: [] };
    this.branches.push(branch);
    for (const [owner, channels] of owners) {
      const leaves = channels.map((channel) => this.leaf(channel));
      branch.leaves.push(...leaves);
      if (owner === "") {
        group.append(...leaves.map((leaf) => leaf.element));
        continue;
      }
      const inner = make("details", { class: "owner" }, make("summary", {}, owner),
        ...leaves.map((leaf) => leaf.element));
      this.branches.push({ element: inner, leaves });
      group.append(inner);
    }
    return group;
  }

  private leaf(channel: Channel): Leaf {
    const name = channel.path.split("/").pop()!;
    const unit = channel.unit === "" ? "" : ` [${prettyUnit(channel.unit)}]`;
    const boxes = channel.columns.map((column, index) => {
      const label = `${channel.path} ${column}`.trim();
      const input = make("input", {
        type: "checkbox", "aria-label": label,
        change: () => this.choose(channel.path, index),
      });
      return { input, path: channel.path, column: index };
    });
    const element = make("div", { class: "leaf", title: channel.description },
      make("span", { class: "leaf-name" }, name, make("span", { class: "unit" }, unit)),
      make("span", { class: "leaf-columns" }, ...boxes.map(({ input }, index) =>
        make("label", {}, input, channel.columns[index] || "show"))));
    const text = `${channel.path} ${channel.unit} ${channel.description}`.toLowerCase();
    return { element, text, boxes };
  }

  private choose(path: string, column: number): void {
    if (this.plot === null) return;
    this.plot = this.toggle(this.plot, path, column);
    this.update();
  }

  private filter(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    let found = 0;
    for (const { leaves } of this.branches)
      for (const leaf of leaves) {
        const match = words.every((word) => leaf.text.includes(word));
        leaf.element.hidden = !match;
        if (match) ++found;
      }
    for (const { element, leaves } of this.branches) {
      element.hidden = leaves.every((leaf) => leaf.element.hidden);
      element.open = words.length > 0;
    }
    this.nothing.hidden = found > 0;
  }
}
