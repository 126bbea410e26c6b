import * as content from '#core/content/content.store.ts';
import { type ContentKind, linkedTo, MOST_ACTIVE, requireOwnImages, setOf } from '#core/content/content.ts';
import * as assets from '#core/content/email-asset.ts';
import * as templates from '#core/content/email-template.ts';
import { draftVersion } from '#core/content/version.ts';
import { isBroadcast } from '#core/id.ts';
import { invalid, parsed, Refusal } from '#core/refusal.ts';
import type { Item } from '#core/storage/table.store.ts';
import { definedFields } from '#core/storage/write.store.ts';
import { ASSET_LOCKED, NewEmailAsset } from '#shared/email-asset.ts';
import { CONTENT_LOCKED, NewEmailTemplate, templateVersionAfter } from '#shared/email-template.ts';
import type { DesiredState, Planned, PlannedAsset, PlannedTemplate } from '#shared/plan.ts';
import { change, type Draft, entryOf, existing, type Needs, use } from './changes.ts';
import { contentFields, type Fields, type World } from './world.ts';

const UNNAMED = 'Give it a name, by which it is found again, or its id';
const NO_TYPE = 'Say its type: assets are found by type and name';

type Head = templates.Head | assets.Head;

/** What an entry comes to. */
type Wish<H extends Head> = {
  kind: ContentKind<H>;
  /** All of its kind. */
  heads: H[];
  before: H | undefined;
  /** New content, or a new wording. Without one the text stays. */
  written?: { head: H; text: Item } | undefined;
  /** What is shown of the text, as it is and as it is to be. */
  had?: Fields | undefined;
  has?: Fields | undefined;
  set: { name?: string | undefined; is_active?: boolean | undefined };
  automations: string[] | undefined;
  /** Throws 403 if the caller may not change it. */
  requireRight?: () => void;
};

type Tools = {
  idOf: (kind: Planned, name: string) => string;
  /** Throws an error for what another entry has named. */
  once: (id: string) => void;
};

/** The entries for content, each checked by the rules of the calls that create it or give it a new wording. */
export async function contentEntries(
  needs: Needs,
  world: World,
  draft: Draft,
  desired: DesiredState,
  { idOf, once }: Tools,
) {
  const { table, now, active } = needs;
  const organization = active.organization.id;
  const newest = { templates: content.newestIn(world.templates), assets: content.newestIn(world.assets) };
  const linkable = [
    ...[...draft.automations.values()].flatMap(({ after }) => after ?? []),
    ...[...world.state.automations.values()].filter(
      ({ id }) => !draft.automations.has(id) && !isBroadcast(id),
    ),
    ...world.broadcasts,
  ];
  const names = new Map(linkable.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id);
  const hashes = new Set<string>();
  const texts = await textsOf(needs, newest, world, desired);

  async function requireNew(kind: ContentKind<never>, hash: string, own: string[] = []): Promise<void> {
    const [id] = await content.readIds(table, organization, [hash]);
    if (hashes.has(hash) || (id !== undefined && !own.includes(id))) throw kind.exists();
    hashes.add(hash);
  }

  /** Lists it in place of itself. */
  function relist(
    linkKind: Parameters<typeof use>[2]['kind'],
    id: string,
    from: string[],
    to: string[],
    before?: string,
  ) {
    const of = before === undefined ? {} : { of: { id: before, now } };
    for (const automation of from)
      if (!to.includes(automation)) use(draft, world, { automation, kind: linkKind, id, isUsed: false });
    for (const automation of to) {
      use(draft, world, { automation, kind: linkKind, id, isUsed: true, ...of });
      if ((draft.linked.get(automation)?.[linkKind]?.size ?? 0) <= MOST_ACTIVE) continue;
      throw invalid(
        'automations',
        `${nameOf(automation)} has ${MOST_ACTIVE.toLocaleString('en')} of this type already`,
      );
    }
  }

  async function add<H extends Head>(wish: Wish<H>): Promise<void> {
    const { kind, heads, before, written, set } = wish;
    const ids = wish.automations?.map(
      (reference, nth) => existing(linkable, reference, `automations.${nth}`, 'automation').id,
    );
    if (written) requireOwnImages(organization, [written]);
    const at = now.toISOString();
    if (!before) {
      if (!written) return;
      await requireNew(kind as never, written.head.hash);
      const id = idOf(kind.name, written.head.hash);
      const head = { ...written.head, id, automation_ids: setOf(ids ?? []) };
      once(id);
      change(draft, world, kind.name, undefined, {
        id,
        name: head.name,
        fields: contentFields(head, nameOf, wish.has),
        set: () => {
          const to = { is_active: head.is_active, automation_ids: ids, type: kind.linkKind(head) };
          const created = { head, text: written.text };
          draft.contents.push({ kind: kind.name, created, note: { kind: kind.name, object: head, to } });
          relist(kind.linkKind(head), id, [], head.is_active ? (ids ?? []) : []);
          for (const one of ids ?? []) draft.linkedTo.add(one);
        },
      });
      return;
    }
    const linked = linkedTo(before).filter(nameOf);
    const version = written && (await nextVersion(wish, before, written));
    const links = version ? version.links.taken.filter(nameOf) : linked;
    const wanted = (ids ?? links).filter(id => !version?.links.kept.includes(id));
    const after = {
      ...(version?.head ?? before),
      ...definedFields(set),
      automation_ids: setOf(wanted),
      updated_at: at,
    } as H;
    const others = content.versionsIn(heads, before).filter(({ id }) => id !== before.id);
    change(draft, world, kind.name, contentFields(before, nameOf, wish.had), {
      id: before.id,
      name: before.name,
      fields: contentFields(after, nameOf, wish.has ?? wish.had),
      ...(version && { action: 'new_wording' as const }),
      set: () => {
        wish.requireRight?.();
        const named = set.name === undefined ? {} : { name: set.name };
        const { is_active, automation_ids } = after;
        draft.contents.push({
          kind: kind.name,
          ...(version && { created: { head: after, text: version.text } }),
          changed: {
            head: before,
            set: version
              ? {
                  ...version.replaced,
                  ...named,
                  replaced_by: { ...version.replaced.replaced_by, id: after.id },
                }
              : { ...named, is_active, automation_ids, updated_at: at },
          } as Draft['contents'][number]['changed'],
          renamed: named.name === undefined ? [] : others.filter(({ name }) => name !== named.name),
          name: named.name,
          note: {
            kind: kind.name,
            from: {
              ...before,
              automation_ids: version ? undefined : linked,
              version: version && content.numberOf(before),
            },
            to: { ...after, version: version && after.version },
            ...(version && { what: 'reworded' as const }),
          },
        });
        const listed = after.is_active ? wanted : [];
        if (version) {
          relist(kind.linkKind(before), before.id, before.is_active ? links : [], []);
          relist(kind.linkKind(after), after.id, [], listed, before.id);
        } else relist(kind.linkKind(before), before.id, before.is_active ? linked : [], listed);
        for (const id of wanted) if (!linked.includes(id) || version) draft.linkedTo.add(id);
      },
    });
  }

  async function nextVersion<H extends Head>(
    { kind, heads, had = {} }: Wish<H>,
    before: H,
    { head, text }: { head: H; text: Item },
  ) {
    const versions = content.versionsIn(heads, before);
    const { subject_line, excerpt } = { subject_line: undefined, excerpt: undefined, ...head };
    const shown = definedFields({ subject_line, excerpt }) as Partial<H>;
    const wording = { hash: head.hash, shown, text, field: Object.keys(had)[0] ?? '' };
    const drafted = await draftVersion(needs, kind, { versions, edited: before }, wording);
    if ('newest' in drafted) throw new Refusal('invalid', `Its newest version is ${drafted.newest.id}`);
    await requireNew(
      kind as never,
      head.hash,
      versions.map(({ id }) => id),
    );
    return { ...drafted, head: { ...drafted.head, id: idOf(kind.name, `${before.id} ${head.hash}`) } };
  }

  async function template(entry: PlannedTemplate): Promise<void> {
    const { id: _, automations, name, is_active, language_code, ...parts } = entry;
    const before = entryOf(world.templates, entry, 'template', newest.templates);
    const wish = { kind: templates.EMAIL_TEMPLATE, heads: world.templates, automations };
    if (!before) {
      const fields = { ...parts, name, is_active, language_code };
      const checked = parsed(NewEmailTemplate, definedFields(fields));
      const written = templates.drafted(needs, active, checked);
      return add({ ...wish, before: undefined, written, has: templates.contentOf(written.text), set: {} });
    }
    once(before.id);
    const text = texts.get(before.id) as templates.Text | undefined;
    const requireRight = () => templates.requireRelinkable(active, [before]);
    const changed = text ? templates.fieldsChanged(text, { ...parts, language_code }) : [];
    if (changed.includes('language_code')) throw invalid('language_code', CONTENT_LOCKED);
    const of = { ...wish, before, set: { name, is_active }, requireRight };
    if (!text || changed.length === 0) return add(of);
    const had = templates.contentOf(text);
    const wording = parsed(templateVersionAfter(had), { ...had, ...definedFields(parts) });
    const written = templates.drafted(needs, active, { ...before, name: name ?? before.name, ...wording });
    return add({ ...of, written, had, has: templates.contentOf(written.text) });
  }

  async function asset(entry: PlannedAsset): Promise<void> {
    const { id, automations, name, is_active, type, value } = entry;
    if (id === undefined && !name) throw invalid('name', UNNAMED);
    if (id === undefined && !type) throw invalid('type', NO_TYPE);
    const ofType = newest.assets.filter(one => one.type === type);
    const before = entryOf(world.assets, entry, 'asset', ofType);
    const wish = { kind: assets.EMAIL_ASSET, heads: world.assets, automations };
    if (!before) {
      const checked = parsed(NewEmailAsset, definedFields({ name, type, value, is_active }));
      const written = assets.drafted(needs, organization, checked);
      return add({ ...wish, before: undefined, written, has: { value: written.text.value }, set: {} });
    }
    once(before.id);
    if (name !== undefined && (name || null) !== before.name) throw invalid('name', ASSET_LOCKED);
    if (type !== undefined && type !== before.type) throw invalid('type', ASSET_LOCKED);
    const text = texts.get(before.id) as assets.Text | undefined;
    const of = { ...wish, before, set: { is_active } };
    const stored = (given: string) => assets.storedValue({ type: before.type, value: given });
    if (value === undefined || !text || stored(value) === stored(text.value)) return add(of);
    assets.requireValue(before.type, value);
    const written = assets.drafted(needs, organization, { ...before, value });
    return add({ ...of, written, had: { value: text.value }, has: { value: written.text.value } });
  }

  function remove<H extends Head>(kind: ContentKind<H>, before: H, kept: Item): void {
    once(before.id);
    const linked = linkedTo(before).filter(nameOf);
    change(draft, world, kind.name, contentFields(before, nameOf), {
      id: before.id,
      name: before.name,
      set: () => {
        const deleted = { head: before, kept: { ...kept, deleted_at: now.toISOString() } };
        draft.contents.push({ kind: kind.name, deleted, note: { kind: kind.name, from: before } });
        relist(kind.linkKind(before), before.id, linked, []);
      },
    });
  }
  /** By its name, the newest version of it. */
  const referred = <H extends Head>(all: H[], newestOnes: H[], reference: string, noun: string): H =>
    all.find(({ id }) => id === reference) ?? existing(newestOnes, reference, '', noun);

  return {
    template,
    asset,
    removeTemplate: async (reference: string) => {
      const before = referred(world.templates, newest.templates, reference, 'template');
      await templates.requireDeletable(needs, active, before);
      remove(templates.EMAIL_TEMPLATE, before, { name: before.name });
    },
    removeAsset: async (reference: string) =>
      remove(assets.EMAIL_ASSET, referred(world.assets, newest.assets, reference, 'asset'), {}),
  };
}

/** The texts of what the entries name. */
async function textsOf(
  { table, active }: Needs,
  newest: { templates: templates.Head[]; assets: assets.Head[] },
  world: World,
  desired: DesiredState,
): Promise<Map<string, templates.Text | assets.Text>> {
  const wanted = (
    entries: { id?: string | undefined; name?: string | null | undefined }[] = [],
    all: Head[],
    newestOnes: Head[],
  ) => {
    const [ids, named] = [new Set(entries.map(({ id }) => id)), new Set(entries.map(({ name }) => name))];
    return [
      ...all.filter(({ id }) => ids.has(id)),
      ...newestOnes.filter(({ id, name }) => !ids.has(id) && named.has(name)),
    ].map(({ id }) => id);
  };
  const ids = [
    ...wanted(desired.templates, world.templates, newest.templates),
    ...wanted(desired.assets, world.assets, newest.assets),
  ];
  const texts = await content.readTexts<(templates.Text | assets.Text) & { id: string }>(
    table,
    active.organization.id,
    ids,
  );
  return new Map(texts.map(text => [text.id, text]));
}
