import { describe, expect, it } from 'vitest';
import * as looks from '#core/content/look.ts';
import * as lists from '#core/list/list.ts';
import { organizationGone } from '#core/organization/organization.store.ts';
import * as organizations from '#core/organization/organization.ts';
import * as log from '#core/sending/log/email.ts';
import * as logPage from '#core/sending/log/log.ts';
import { newSeed, preview } from '#core/sending/preview.ts';
import { batchWrite, getAll, queryPartition, type Table } from '#core/storage/table.store.ts';
import type { Look } from '#shared/look.ts';
import { EmailSendsQuery } from '#shared/send.ts';
import { stored as storedAutomation } from '#test/support/core-automation.ts';
import { found, newList } from '#test/support/core-list.ts';
import { crashing, survives } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { dataUrl, png } from '#test/support/images.ts';
import { compiled, layoutWith } from '#test/support/layout.ts';
import { LOOK } from '#test/support/look.ts';
import { actingIn, newUser } from '#test/support/people.ts';
import { newSender } from '#test/support/sending.ts';

const table = freshTable();
let now = new Date('2030-01-01T12:00:00Z');
const BLUE: Look = LOOK;
const RED: Look = { ...LOOK, accent: '#b91c1c' };

async function newOrganization() {
  const owner = await newUser(table, now);
  const { id } = await organizations.create({ table, now }, owner.id, 'Post office');
  const acting = () => actingIn(table, owner.id, id);
  const { id: list } = await newList(table, now, { organization: id });
  const setHere = async (look: Look | null, on: Table = table) =>
    looks.changeOfOrganization({ table: on, now }, (await acting()).organization, look);
  const set = async (look: Look | null, on: Table = table) =>
    looks.changeOfList({ table: on, now }, (await acting()).organization, await found(table, id, list), look);
  const shown = async () =>
    looks.ofList({ table }, (await acting()).organization, await found(table, id, list));
  const versions = async () => (await queryPartition(table, `ORG#${id}#CONTENT`, 'LOOK#')).length;
  const counted = async () =>
    (await queryPartition(table, `ORG#${id}#CONTENT`, 'COUNTS')).map(({ look }) => look)[0];
  return { id, list, acting, setHere, set, shown, versions, counted };
}

describe('A look', () => {
  it('is that of the organization until a list has one of its own, and again when that is removed', async () => {
    const { set, setHere, shown } = await newOrganization();
    expect(await shown()).toEqual({ look: null, inherited: null });
    expect(await setHere(RED)).toEqual({ look: RED });
    expect(await shown()).toEqual({ look: null, inherited: RED });
    expect(await set(BLUE)).toEqual({ look: BLUE, inherited: RED });
    expect(await set(null)).toEqual({ look: null, inherited: RED });
    expect(await setHere(null)).toEqual({ look: null });
    expect(await shown()).toEqual({ look: null, inherited: null });
  });

  it('is stored once, whoever has it, however often it is set, and stays when another one is', async () => {
    const { set, setHere, shown, versions, counted } = await newOrganization();
    for (const look of [BLUE, BLUE, RED, null, BLUE]) await set(look);
    await setHere(RED);
    expect([await versions(), await counted(), await shown()]).toEqual([
      2,
      2,
      { look: BLUE, inherited: RED },
    ]);
  });

  it('is one of those that are set at once, and each is stored once', async () => {
    const { set, setHere, shown, versions, counted } = await newOrganization();
    await Promise.all([set(BLUE), set(BLUE), set(RED), setHere(BLUE), setHere(RED)]);
    expect([await versions(), await counted()]).toEqual([2, 2]);
    const { look, inherited } = await shown();
    expect([BLUE, RED]).toContainEqual(look);
    expect([BLUE, RED]).toContainEqual(inherited);
  });

  it.each(['before', 'after'] as const)(
    'is whole or not there where a process dies %s its write',
    async how => {
      const { set, setHere, shown, versions, counted } = await newOrganization();
      for (const change of [set, setHere]) {
        expect(await survives(change(BLUE, crashing(table, { at: 1, how })))).toBe(false);
        await change(BLUE);
      }
      expect([await versions(), await counted(), await shown()]).toEqual([
        1,
        1,
        { look: BLUE, inherited: BLUE },
      ]);
    },
  );

  it('is not set where its list or its organization is deleted', async () => {
    const { id, acting, list, versions } = await newOrganization();
    const [as, of] = [await acting(), await found(table, id, list)];
    await lists.remove({ table, now }, of);
    await expect(looks.changeOfList({ table, now }, as.organization, of, BLUE)).rejects.toMatchObject({
      reason: 'not-found',
    });
    await organizations.remove({ table, now }, as);
    await expect(looks.changeOfOrganization({ table, now }, as.organization, BLUE)).rejects.toThrow(
      organizationGone().message,
    );
    expect(await versions()).toBe(0);
  });

  it('may have 1,000 versions in an organization; one that is there may still be chosen', async () => {
    const { id, set, setHere, shown } = await newOrganization();
    await set(BLUE);
    await batchWrite(table, { puts: [{ PK: `ORG#${id}#CONTENT`, SK: 'COUNTS', look: 1_000 }] });
    for (const change of [set, setHere]) {
      await expect(change(RED)).rejects.toMatchObject({
        reason: 'conflict',
        message: expect.stringContaining('at most 1,000 versions'),
      });
    }
    await set(null);
    expect(await set(BLUE)).toEqual(await shown());
  });
});

/** A list with a logo, and an automation that mails a new member in the minute after they were added. */
async function newSending() {
  now = new Date(now.getTime() + 24 * 60 * 60 * 1000);
  const sender = await newSender(table, now);
  const list = await sender.newList({ public_name: 'Post office <daily>' });
  const { id: automation } = await sender.newAutomation({ email_list_ids: [list.id] });
  await sender.newTemplate([automation]);
  const files = new Map<string, Uint8Array>();
  const objects = {
    put: async (name: string, bytes: Uint8Array) => void files.set(`/${name}`, bytes),
    remove: async (name: string) => void files.delete(`/${name}`),
    deletePage: async () => false,
  };
  const reread = () => found(table, sender.organization, list.id);
  const setLogo = async (size: number | null) => {
    await lists.changeLogo(
      { table, now, objects },
      await reread(),
      size === null ? null : dataUrl(png(size, 1)),
    );
    return (await reread()).logo;
  };
  const set = async (look: Look | null) =>
    looks.changeOfList({ table, now }, sender.acting.organization, await reread(), look);
  /** What a new member got, and what the log shows of it. */
  const mail = async (email: string) => {
    await sender.add(await reread(), email);
    await sender.run(new Date(sender.now.getTime() + 3 * 60_000));
    const sent = sender.mails().find(({ email: to }) => to === email)?.html ?? '';
    const page = await logPage.page(
      { table, now: sender.now },
      sender.organization,
      EmailSendsQuery.parse({ recipient: email }),
    );
    const id = page.data[0]?.id ?? '';
    const logged = async () => {
      const keys = log.keysOf(sender.organization, id);
      const entry = log.found(sender.organization, id, await getAll(table, keys));
      return log.content(
        { table, publicUrl: sender.needs.publicUrl, organization: await organization() },
        entry,
      );
    };
    return { sent, logged };
  };
  const organization = async () => (await organizations.findAll({ table }, [sender.organization]))[0] ?? {};
  const previewed = async () =>
    preview(
      { table, now: sender.now, publicUrl: sender.needs.publicUrl, organization: await organization() },
      await storedAutomation(table, sender.organization, automation),
      { seed: newSeed() },
    );
  return { sender, list, files, reread, setLogo, set, mail, previewed };
}

describe('Emails', () => {
  it('have the look of their time: in the log they keep it, with the logo that they showed', async () => {
    const { sender, files, setLogo, set, mail } = await newSending();
    const plain = await mail('ann@example.com');
    const first = await setLogo(1);
    await set(BLUE);
    const blue = await mail('bob@example.com');
    const second = await setLogo(2);
    await looks.changeOfOrganization({ table, now }, sender.acting.organization, RED);
    await set(null);
    const red = await mail('cleo@example.com');
    await setLogo(null);

    expect(plain.sent).not.toMatch(/<img src="[^"]*files|#1d4ed8/);
    expect(blue.sent).toContain(
      `<img class="logo" src="https://mail.example.com${first}" alt="Post office &lt;daily&gt;"`,
    );
    expect(blue.sent).toContain('background:#1d4ed8');
    expect(red.sent).toContain(`src="https://mail.example.com${second}"`);
    expect(red.sent).toContain('background:#b91c1c');
    for (const [of, shown] of [
      [plain, { look: '#1c1917', logo: undefined }],
      [blue, { look: '#1d4ed8', logo: first }],
      [red, { look: '#b91c1c', logo: second }],
    ] as const) {
      const { html, is_exact } = await of.logged();
      expect(is_exact).toBe(true);
      expect(html).toContain(`bgcolor="${shown.look}"`);
      expect(/src="https:\/\/mail.example.com(\/files[^"]*)"/.exec(html)?.[1]).toBe(shown.logo);
    }
    expect([...files.keys()]).toEqual([first, second]);
  });

  it('have the layout of their time, also in the log, and with it no logo', async () => {
    const { setLogo, set, mail } = await newSending();
    await setLogo(1);
    const first = await compiled(layoutWith('<h1>First</h1>'));
    await set({ ...BLUE, layout: first });
    const dora = await mail('dora@example.com');
    await set({ ...BLUE, layout: await compiled(layoutWith('<h1>Second</h1>')) });
    const emil = await mail('emil@example.com');
    await set(BLUE);
    for (const [{ sent, logged }, heading] of [
      [dora, 'First'],
      [emil, 'Second'],
    ] as const) {
      expect(sent).toContain(`<h1>${heading}</h1><div class="of-preheader">`);
      expect(sent).toMatch(/<div class="of-footer">.*\/t\/u\//s);
      expect(sent).not.toContain('class="logo"');
      const { html, is_exact } = await logged();
      expect([is_exact, html.includes(`<h1>${heading}</h1>`)]).toEqual([true, true]);
    }
  });

  it('keep their logo when its list is deleted; one that no email shows goes with its list', async () => {
    const { sender, reread, setLogo, set, mail } = await newSending();
    const jobs = async () => (await queryPartition(table, 'PURGE', `LIST#${sender.organization}#`))[0]?.logo;
    await set(BLUE);
    await setLogo(1);
    await mail('ann@example.com');
    const stale = await reread();
    await lists.remove({ table, now: sender.now }, stale);
    expect(await jobs()).toBeUndefined();
    const other = await newSending();
    const unsent = await other.setLogo(1);
    await lists.remove({ table, now }, await other.reread());
    const [job] = await queryPartition(table, 'PURGE', `LIST#${other.sender.organization}#`);
    expect(job?.logo).toBe(unsent);
  });

  it('are previewed as they would be sent', async () => {
    const { sender, set, setLogo, mail, previewed } = await newSending();
    await setLogo(1);
    await looks.changeOfOrganization({ table, now }, sender.acting.organization, RED);
    await mail('ann@example.com');
    expect((await previewed()).html).toContain('bgcolor="#b91c1c"');
    await set(BLUE);
    expect((await previewed()).html).toContain('bgcolor="#1d4ed8"');
    expect((await previewed()).plaintext).toContain(
      'Station Road 7\nDublin\n\nShop (https://shop.example.com/)',
    );
  });

  it('have the look that is read once for all of them, and no write more than one of its list', async () => {
    const { sender, list, set, setLogo } = await newSending();
    await setLogo(1);
    await set(BLUE);
    for (let nth = 0; nth < 5; nth++) await sender.add(list, `reader${nth}@example.com`);
    await sender.run(new Date(sender.now.getTime() + 3 * 60_000));
    const stored = await found(table, sender.organization, list.id);
    const mails = sender.mails().filter(({ email }) => email.startsWith('reader'));
    expect([mails.length, stored.logo_sent]).toEqual([5, stored.logo]);
    const heads = (await queryPartition(table, `ORG#${sender.organization}#LOG`)).filter(
      ({ type }) => type === 'batch',
    );
    expect(heads.map(({ shown_as }) => (shown_as as { look?: string }).look)).toEqual(
      heads.map(() => stored.look),
    );
  });
});
