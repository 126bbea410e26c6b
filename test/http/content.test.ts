import { beforeAll, describe, expect, it } from 'vitest';
import { asset, newAsset, newAutomation, newTemplate, template } from '../support/content.ts';
import { apiStack } from '../support/handlers.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';

const stack = apiStack();
const { call } = stack;

let owner: Person;
beforeAll(async () => {
  owner = await newMember(stack);
});
const as = () => ({ token: owner.token, organization: owner.home.id });

const KEY = 'key-0123456789abcdef';

describe('an asset', () => {
  it.each([
    [{ value: '' }, { value: ['Content is required'] }],
    [
      { value: 'x'.repeat(10_001), type: 'pre_cta_content' },
      { value: ['Content must be at most 10,000 characters'] },
    ],
    [
      { value: '{{a}}'.repeat(501), type: 'pre_cta_content' },
      { value: ['Content must have at most 500 placeholders'] },
    ],
    [{ value: 'x'.repeat(256) }, { value: ['Content must be at most 255 characters'] }],
    [{ type: 'nothing' }, { type: ['Type is required'] }],
    [
      { type: 'footer', value: 'Bye' },
      { value: ['Footer must contain {{UNSUB_LINK}} placeholder for unsubscribe link.'] },
    ],
    [{ is_active: 'yes' }, { is_active: ['is_active must be true or false'] }],
    [
      { automation_ids: ['0'.repeat(12)] },
      { automation_ids: ['One of the automations does not exist any more'] },
    ],
    [{ automation_ids: 'all' }, { automation_ids: ['automation_ids must be the ids of automations'] }],
  ])('is not created from %j', async (fields, errors) => {
    const before = (await call('GET /api/email-assets', as())).body.total;
    const answer = await call('POST /api/email-assets', { ...as(), body: asset(fields) });
    expect(answer).toMatchObject({ status: 422, body: { errors } });
    expect((await call('GET /api/email-assets', as())).body.total).toBe(before);
  });

  it.each([
    'javascript:alert(1)',
    'https://ann:secret@example.com',
    '//example.com',
    'example.com',
    'https://{{host}}/x',
    'https://example.com{{more}}',
    'mailto:ann@example.com',
  ])('of the type CTA URL does not lead to %s', async value => {
    const answer = await call('POST /api/email-assets', { ...as(), body: asset({ type: 'cta_url', value }) });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { value: ['CTA URL must be a web address that begins with https:// or http://'] },
    ]);
  });

  it('that is a line is stored as one, however it was typed', async () => {
    const body = asset({ type: 'subject_line', value: ' Hi\r\n there,\n\n you ' });
    const created = await call('POST /api/email-assets', { ...as(), body });
    expect(created.body.value).toBe('Hi there, you');
    const again = await call('POST /api/email-assets', { ...as(), body: asset({ value: 'Hi there, you' }) });
    expect(again.status).toBe(422);
    const fields = { subject_line: 'Hello\nyou', cta_text: ' Go\n on', preheader: 'One\r\ntwo' };
    const { body: made } = await call('POST /api/email-templates', { ...as(), body: template(fields) });
    expect(made).toMatchObject({ subject_line: 'Hello you', cta_text: 'Go on', preheader: 'One two' });
  });

  it('lives from its creation to its deletion', async () => {
    const automation = await newAutomation(stack, owner, { name: 'life' });
    const body = asset({ name: ' Greeting ', value: 'Hi\r\nthere', type: 'pre_cta_content' });
    const created = await call('POST /api/email-assets', { ...as(), body });
    expect(created).toMatchObject({
      status: 201,
      body: { name: 'Greeting', type: 'pre_cta_content', value: 'Hi\nthere', is_active: true },
    });
    const params = { emailAsset: created.body.id };
    const again = await call('POST /api/email-assets', { ...as(), body });
    expect(again.body.errors.value[0]).toContain('already exists');

    const linked = await call('PUT /api/email-assets/{emailAsset}', {
      ...as(),
      params,
      body: { automation_ids: [automation], value: 'Hi\r\nthere', name: 'Greeting', type: 'pre_cta_content' },
    });
    const LOCKED = [
      'The content of an email asset cannot be changed: create a new version of it, or duplicate the asset',
    ];
    for (const fields of [{ value: 'Another' }, { name: 'Another' }, { type: 'footer' }]) {
      const body = { is_active: false, ...fields };
      const refused = await call('PUT /api/email-assets/{emailAsset}', { ...as(), params, body });
      const errors = Object.fromEntries(Object.keys(fields).map(field => [field, LOCKED]));
      expect([refused.status, refused.body.errors]).toEqual([422, errors]);
    }
    expect(linked.body.automations).toEqual([{ id: automation, name: 'life' }]);
    expect((await call('GET /api/email-assets/{emailAsset}', { ...as(), params })).body).toEqual({
      emailAsset: { ...created.body, updated_at: expect.any(String) },
      automations: [{ id: automation, name: 'life' }],
      versions: [],
    });
    expect((await call('DELETE /api/email-assets/{emailAsset}', { ...as(), params })).status).toBe(204);
    expect((await call('GET /api/email-assets/{emailAsset}', { ...as(), params })).status).toBe(404);
  });
});

describe('a template', () => {
  it.each([
    ['name', 'Template name is required'],
    ['subject_line', 'Subject line is required'],
    ['pre_cta_content', 'Pre-CTA content is required'],
    ['cta_text', 'CTA text is required'],
    ['cta_url', 'CTA URL is required'],
    ['footer', 'Footer must include {{UNSUB_LINK}} placeholder'],
  ])('needs a %s', async (field, message) => {
    for (const value of ['', '   ', null]) {
      const body = template({ [field]: value });
      const answer = await call('POST /api/email-templates', { ...as(), body });
      expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: [message] } } });
    }
  });

  it.each([
    ['https://example.com/{{utm_tags_automation_id}}', 'https://example.com'],
    ['https://example.com/a&{{utm_tags_template_id}}', 'https://example.com/a'],
    ['https://example.com/{{x}}{{utm_tags_combination_id}}?a=1', 'https://example.com'],
  ])('with the address %s is told where the "?" belongs', async (cta_url, host) => {
    const { body } = await call('POST /api/email-templates', { ...as(), body: template({ cta_url }) });
    expect(body.errors.cta_url).toEqual([
      `CTA URL must include a '?' symbol before the UTM tags, e.g. ${host}?{{utm_tags_template_id}}`,
    ]);
  });

  it('has a default for whatever may be left out', async () => {
    const { subject_line, pre_cta_content, cta_text, cta_url } = template();
    const body = { name: 'Short', subject_line, pre_cta_content, cta_text, cta_url };
    expect((await call('POST /api/email-templates', { ...as(), body })).body).toMatchObject({
      footer: '{{UNSUB_LINK}}',
      language_code: 'en',
      is_active: true,
      is_editable: false,
      preheader: null,
      after_cta_content: null,
      automations: [],
      can_edit: true,
    });
  });

  it('is listed as a bare array, a page at a time', async () => {
    for (let i = 0; i < 3; i++) await newTemplate(stack, owner, { name: `Paged ${i}` });
    const page = (page: string) =>
      call('GET /api/email-templates', { ...as(), query: { search: 'paged', per_page: '2', page } });
    const names = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name);
    expect(names(await page('1'))).toEqual(['Paged 0', 'Paged 1']);
    expect(names(await page('2'))).toEqual(['Paged 2']);
    expect(names(await page('3'))).toEqual([]);
    for (const page of ['0', '0x1', '1e1', '-1', 'x', '']) {
      const refused = await call('GET /api/email-templates', { ...as(), query: { page } });
      expect([page, refused.status]).toEqual([page, 422]);
    }
  });
});

describe('a new version', () => {
  it('is answered as created content, again where the call is repeated, and listed by its predecessor', async () => {
    const automation = await newAutomation(stack, owner, { name: 'rewritten' });
    const emailTemplate = await newTemplate(stack, owner, {
      name: 'Rewritten',
      automation_ids: [automation],
    });
    const body = template({ subject_line: 'Hello {{nickname}}', name: 'Ignored' });
    const rewrite = () =>
      call('POST /api/email-templates/{emailTemplate}/versions', {
        ...as(),
        params: { emailTemplate },
        body,
      });
    const [made, again] = [await rewrite(), await rewrite()];
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'Rewritten', version: 2, is_active: true, automations: [{ id: automation }] },
    });
    expect([again.status, again.body.id]).toEqual([201, made.body.id]);
    const before = await call('GET /api/email-templates/{emailTemplate}', {
      ...as(),
      params: { emailTemplate },
    });
    expect(before.body).toMatchObject({
      emailTemplate: { version: 1, is_active: false, automations: [] },
      versions: [{ id: emailTemplate }, { id: made.body.id, version: 2, is_active: true }],
    });
    const other = await call('POST /api/email-templates/{emailTemplate}/versions', {
      ...as(),
      params: { emailTemplate },
      body: template(),
    });
    expect([other.status, other.body.message]).toEqual([
      409,
      'Version 2 has replaced this one meanwhile. Open version 2, and edit its wording.',
    ]);
  });

  it.each([
    [{ subject_line: ' ' }, { subject_line: ['Subject line is required'] }],
    [{ footer: 'Bye' }, { footer: ['Footer must include {{UNSUB_LINK}} placeholder'] }],
    [{ cta_url: 'example.com' }, { cta_url: [expect.stringContaining('must be a web address')] }],
  ])('is refused with %j, and nothing is changed', async (fields, errors) => {
    const emailTemplate = await newTemplate(stack, owner);
    const params = { emailTemplate };
    const body = template(fields);
    const answer = await call('POST /api/email-templates/{emailTemplate}/versions', {
      ...as(),
      params,
      body,
    });
    expect(answer).toMatchObject({ status: 422, body: { errors } });
    const { body: after } = await call('GET /api/email-templates/{emailTemplate}', { ...as(), params });
    expect(after).toMatchObject({ emailTemplate: { is_active: true }, versions: [] });
  });

  it('is not made of what another organization has', async () => {
    const other = await newMember(stack);
    const [emailAsset, emailTemplate] = [await newAsset(stack, other), await newTemplate(stack, other)];
    const asset = { ...as(), params: { emailAsset }, body: { value: 'New' } };
    expect((await call('POST /api/email-assets/{emailAsset}/versions', asset)).status).toBe(404);
    const foreign = { ...as(), params: { emailTemplate }, body: template() };
    expect((await call('POST /api/email-templates/{emailTemplate}/versions', foreign)).status).toBe(404);
  });
});

describe('a preview', () => {
  it('says what is missing: content, then somebody to show it to', async () => {
    const list = await newList(stack, owner);
    const automation = await newAutomation(stack, owner, { lists: [list] });
    const preview = () =>
      call('GET /api/automations/{automation}/preview', { ...as(), params: { automation } });
    expect(await preview()).toMatchObject({
      status: 409,
      body: {
        message: 'Failed to generate email preview. Please make sure you have at least one active template.',
      },
    });
    await newTemplate(stack, owner, { automation_ids: [automation] });
    expect((await preview()).body.message).toContain('None of the connected lists has a subscribed member.');
    await addMembers(stack, owner, list, [{ email: 'gone@example.com', is_subscribed: false }]);
    expect((await preview()).status).toBe(409);
  });

  it('is of assets alone where templates are not to be used', async () => {
    const list = await newList(stack, owner);
    await addMembers(stack, owner, list, [{ email: 'ann@example.com' }]);
    const automation = await newAutomation(stack, owner, { lists: [list] });
    await newTemplate(stack, owner, { automation_ids: [automation] });
    const preview = (use_templates: 'true' | 'false') =>
      call('GET /api/automations/{automation}/preview', {
        ...as(),
        params: { automation },
        query: { use_templates },
      });
    expect((await preview('false')).status).toBe(409);
    const body = { seed: 'a', use_templates: false };
    const sent = await call('POST /api/automations/{automation}/test-email', {
      ...as(),
      params: { automation },
      body,
    });
    expect([sent.status, sent.body.message]).toEqual([409, expect.stringContaining('preview')]);
    const parts = {
      subject_line: 'Of assets',
      pre_cta_content: 'Text',
      cta_text: 'Go',
      cta_url: 'https://shop.example.com/',
      footer: '{{UNSUB_LINK}}',
    };
    for (const [type, value] of Object.entries(parts)) {
      await newAsset(stack, owner, { type, value, automation_ids: [automation] });
    }
    const subject = async (use: 'true' | 'false') => (await preview(use)).body.plaintext.split('\n')[0];
    expect([await subject('false'), await subject('true')]).toEqual(['Of assets', expect.any(String)]);
    expect(await subject('true')).not.toBe('Of assets');
  });

  it('is the email as a subscribed member gets it, and the test email the same', async () => {
    stack.mustNotBeLogged(KEY);
    const list = await newList(stack, owner, { name: 'Readers' });
    const member = { email: 'ann@example.com', first_name: '<Ann>', ends: '2020-01-05', is_subscribed: true };
    await addMembers(stack, owner, list, [member, { email: 'aa@example.com', is_subscribed: false }]);
    const automation = await newAutomation(stack, owner, {
      name: 'trial_ends',
      lists: [list],
      metadata_trigger: 'ends',
    });
    const fields = {
      subject_line: 'Hi {{first_name}}',
      pre_cta_content: 'Since **{{days_since_trigger}}** days. {{automation_name}}',
      cta_url: 'https://shop.example.com/?{{utm_tags_automation_name}}',
      language_code: 'ar',
      automation_ids: [automation],
    };
    await newTemplate(stack, owner, fields);
    const { status, body } = await call('GET /api/automations/{automation}/preview', {
      ...as(),
      params: { automation },
      query: { use_templates: 'true' },
    });
    expect([status, body.sender]).toEqual([
      200,
      { name: 'The shop', email: 'hello@example.com', list_name: 'Readers' },
    ]);
    const lines = body.plaintext.split('\n');
    expect([lines[0], lines[1], lines[2]]).toEqual(['Hi <Ann>', '', 'Good to have you.']);
    expect(body.plaintext).toMatch(/Since \d{4} days\. trial_ends/);
    expect(body.html).toContain('<html lang="ar" dir="rtl">');
    expect(body.html).toContain('utm_campaign=trial_ends"');
    expect(body.html).not.toContain('<Ann>');

    const send = () =>
      call('POST /api/automations/{automation}/test-email', {
        ...as(),
        params: { automation },
        body: { seed: body.seed },
      });
    const { message } = (await send()).body;
    expect(message).toBe('The list Readers has no sending key yet. Set one on its page.');
    await call('PUT /api/email-lists/{list}/mailgun-key', {
      ...as(),
      params: { list },
      body: { mailgun_sending_key: KEY },
    });
    expect(await send()).toMatchObject({ status: 200, body: { sent_to: owner.email } });
    const [mail] = await stack.inbox(owner.email);
    expect(mail).toMatchObject({ subject: '[Test] Hi <Ann>', text: body.plaintext, html: body.html });
  });
});

describe('content is checked before it is created', () => {
  let automation: string;
  const check = (body: object) => call('POST /api/email-templates-check', { ...as(), body });
  const checkAsset = (body: object) => call('POST /api/email-assets-check', { ...as(), body });

  beforeAll(async () => {
    const list = await newList(stack, owner);
    automation = await newAutomation(stack, owner, { name: 'checked', lists: [list] });
    await addMembers(stack, owner, list, [
      { email: 'ann@example.com', first_name: 'Ann', ends: '2030-01-01' },
      { email: 'bob@example.com', first_name: '', ends: '2030-01-02' },
      { email: 'cid@example.com', ends: '2030-01-03' },
    ]);
  });

  const warned =
    "2 of 3 members have no first_name and no default is given. Write {{first_name | 'friend'}}.";

  it('and says how many members lack what it asks for, at each field', async () => {
    const body = template({
      subject_line: 'Hi {{first_name}}, until {{ends}}',
      pre_cta_content: '{{nick_name}}',
      automation_ids: [automation],
    });
    const total = async () => (await call('GET /api/email-templates-summary', as())).body.total;
    const before = await total();
    const warnings = {
      subject_line: [warned],
      pre_cta_content: [
        "None of 3 members has nick_name and no default is given. Write {{nick_name | 'friend'}}.",
      ],
    };
    expect(await check(body)).toMatchObject({ status: 200, body: { errors: {}, warnings } });
    expect(await total()).toBe(before);
    const created = await call('POST /api/email-templates', { ...as(), body });
    expect(created).toMatchObject({ status: 201, body: { warnings } });
  });

  it('of an asset too, and creates it all the same', async () => {
    const body = asset({ value: 'Hi {{first_name}}!', automation_ids: [automation] });
    const warnings = { value: [warned] };
    expect((await checkAsset(body)).body).toEqual({ errors: {}, warnings });
    expect(await call('POST /api/email-assets', { ...as(), body })).toMatchObject({
      status: 201,
      body: { warnings },
    });
  });

  it('while it is unfinished, and says what creating it would refuse', async () => {
    expect(
      (await check({ subject_line: 'Hi {first_name}', automation_ids: [automation] })).body,
    ).toMatchObject({
      errors: {
        name: ['Template name is required'],
        subject_line: ['{first_name} is not a placeholder: write {{first_name}}'],
        cta_url: ['CTA URL is required'],
      },
      warnings: {},
    });
    expect((await checkAsset({ value: '{{email}}' })).body).toEqual({
      errors: { type: ['Type is required'] },
      warnings: {},
    });
  });

  it('before it is linked, about the members of all lists', async () => {
    const { warnings } = (await check({ subject_line: '{{first_name}} {{FirstName}}' })).body;
    expect(warnings.subject_line).toEqual([
      expect.stringMatching(/^\d+ of \d+ members have no first_name and no default is given\. Write /),
      expect.stringMatching(
        /^None of \d+ members has FirstName and no default is given\. Is \{\{first_name}} meant\?$/,
      ),
    ]);
  });

  it.each([{ value: { toString: 1 } }, { value: ['{{x}}'] }, { automation_ids: 'all' }])(
    'unless %j is no content at all',
    async fields => {
      const { status, body } = await checkAsset(fields);
      expect([status, Object.keys(body.errors)]).toEqual([422, Object.keys(fields)]);
    },
  );

  it('whatever the type of an asset is called', async () => {
    const { status, body } = await checkAsset(asset({ type: '__proto__', value: 'Hi' }));
    expect([status, body]).toEqual([200, { errors: { type: ['Type is required'] }, warnings: {} }]);
  });
});

describe('a preview for somebody', () => {
  let automation: string;
  let outside: string;
  let foreign: string;
  const params = () => ({ automation });
  const members = async (search?: string) =>
    (
      await call('GET /api/automations/{automation}/preview-members', {
        ...as(),
        params: params(),
        ...(search !== undefined && { query: { search } }),
      })
    ).body;
  const preview = (member: string) =>
    call('GET /api/automations/{automation}/preview', { ...as(), params: params(), query: { member } });
  const firstOf = async (person: Person, list: string) => {
    const input = { token: person.token, organization: person.home.id, params: { list } };
    return (await call('GET /api/email-lists/{list}/members', input)).body.data[0].id;
  };

  beforeAll(async () => {
    const lists = [
      await newList(stack, owner, { name: 'One' }),
      await newList(stack, owner, { name: 'Two' }),
    ];
    const [one = '', two = ''] = lists;
    await addMembers(stack, owner, one, [
      { email: 'dora@example.com', first_name: 'Dora' },
      { email: 'dorothy@example.com', first_name: 'Dorothy', is_subscribed: false },
    ]);
    await addMembers(stack, owner, two, [{ email: 'dora@example.com', first_name: 'D.' }]);
    automation = await newAutomation(stack, owner, { name: 'for_somebody', lists });
    await newTemplate(stack, owner, {
      subject_line: "Hi {{first_name | 'you'}}",
      automation_ids: [automation],
    });
    const elsewhere = await newList(stack, owner);
    await addMembers(stack, owner, elsewhere, [{ email: 'otto@example.com' }]);
    outside = await firstOf(owner, elsewhere);
    const other = await newMember(stack);
    const secret = await newList(stack, other);
    await addMembers(stack, other, secret, [{ email: 'dora@example.com' }]);
    foreign = await firstOf(other, secret);
  });

  it('finds the members of the automation’s lists by the beginning of their address', async () => {
    const found = await members(' DOR');
    expect(found.map(({ email, list_name }: Record<string, string>) => `${email} ${list_name}`)).toEqual([
      'dora@example.com One',
      'dora@example.com Two',
      'dorothy@example.com One',
    ]);
    expect(await members('otto')).toEqual([]);
    expect(await members()).toHaveLength(3);
  });

  it('is as that member would get it, subscribed or not', async () => {
    const subjects = await Promise.all(
      (await members('dor')).map(async ({ id }: { id: string }) =>
        (await preview(id)).body.plaintext.split('\n').at(0),
      ),
    );
    expect(subjects).toEqual(['Hi Dora', 'Hi D.', 'Hi Dorothy']);
  });

  it('is mailed as it was shown, whichever of its emails that is', async () => {
    const list = await newList(stack, owner);
    await addMembers(stack, owner, list, [{ email: 'ann@example.com' }]);
    const key = { mailgun_sending_key: KEY };
    await call('PUT /api/email-lists/{list}/mailgun-key', { ...as(), params: { list }, body: key });
    const many = await newAutomation(stack, owner, { name: 'many', lists: [list], active: false });
    for (const subject_line of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) {
      await newTemplate(stack, owner, { subject_line, automation_ids: [many] });
    }
    const params = { automation: many };
    for (let n = 0; n < 3; n++) {
      const { body } = await call('GET /api/automations/{automation}/preview', { ...as(), params });
      const { seed, plaintext } = body;
      await call('POST /api/automations/{automation}/test-email', { ...as(), params, body: { seed } });
      expect((await stack.inbox(owner.email))[0]?.text).toBe(plaintext);
    }
  });

  it('is for nobody who is on none of its lists, of this organization or of another', async () => {
    for (const member of [outside, foreign, `${outside}x`, 'nobody', '-']) {
      expect((await preview(member)).status, member).toBe(404);
      const body = { seed: 'a', member };
      const sent = await call('POST /api/automations/{automation}/test-email', {
        ...as(),
        params: params(),
        body,
      });
      expect(sent.status, member).toBe(404);
    }
    expect((await preview('x#y')).status).toBe(422);
  });
});

describe('a test of content that is not stored', () => {
  const test = (fields: object, person: Person = owner) =>
    call('POST /api/test-emails', {
      token: person.token,
      organization: owner.home.id,
      body: template({ subject_line: 'Hi {{first_name}}', ...fields }),
    });
  const newest = async (to = owner.email) => (await stack.inbox(to))[0];

  it('comes from the product’s own sender without a list that can send, and stores nothing', async () => {
    const list = await newList(stack, owner);
    const stored = async () => (await call('GET /api/email-templates-summary', as())).body.total;
    const before = await stored();
    for (const email_list_id of [undefined, list]) {
      const metadata = { first_name: email_list_id ? '<Bo>' : 'Ada' };
      expect(await test({ email_list_id, metadata })).toMatchObject({
        status: 200,
        body: { sent_to: owner.email },
      });
      const mail = await newest();
      expect(String(mail?.from)).not.toContain('example.com');
      expect(mail).toMatchObject({
        subject: `[Test] Hi ${metadata.first_name}`,
        html: expect.stringContaining(email_list_id ? 'Hi &lt;Bo' : 'Hi Ada'),
      });
    }
    expect(await stored()).toBe(before);
    const log = await call('GET /api/email-sends', { ...as(), query: {} });
    expect(log.body.data).toEqual([]);
  });

  it('comes from the list once that has a key, as its member gets it, with what was typed in place', async () => {
    const list = await newList(stack, owner);
    await addMembers(stack, owner, list, [{ email: 'kim@example.com', first_name: 'Kim', plan: 'team' }]);
    const members = await call('GET /api/email-lists/{list}/members', { ...as(), params: { list } });
    const member = members.body.data[0].id;
    const body = { mailgun_sending_key: KEY };
    await call('PUT /api/email-lists/{list}/mailgun-key', { ...as(), params: { list }, body });
    const fields = { member, pre_cta_content: '{{plan}} of {{email}}', metadata: { plan: 'solo' } };
    expect((await test(fields)).status).toBe(200);
    expect(await newest()).toMatchObject({
      from: expect.stringContaining('hello@example.com'),
      subject: '[Test] Hi Kim',
      text: expect.stringContaining('solo of kim@example.com'),
    });
    const other = await newList(stack, owner);
    expect((await test({ member, email_list_id: other })).status).toBe(404);
  });

  it('is refused at the field, to viewers, and for what is of another organization', async () => {
    const errors = async (fields: object) => (await test(fields)).body.errors;
    expect(await errors({ subject_line: ' ', cta_url: 'example.com' })).toEqual({
      subject_line: ['Subject line is required'],
      cta_url: ['CTA URL must be a web address that begins with https:// or http://'],
    });
    expect(await errors({ metadata: 'x', member: 'x#y', email_list_id: 7, language_code: 'xx' })).toEqual({
      metadata: [expect.any(String)],
      member: ['member must be the id of a list member'],
      email_list_id: ['email_list_id must be the id of an email list'],
      language_code: ['Choose one of the languages'],
    });
    const stranger = await newMember(stack);
    const list = await newList(stack, stranger);
    await addMembers(stack, stranger, list, [{ email: 'kim@example.com' }]);
    const members = await call('GET /api/email-lists/{list}/members', {
      token: stranger.token,
      organization: stranger.home.id,
      params: { list },
    });
    for (const fields of [
      { email_list_id: list },
      { email_list_id: 'nothing' },
      { member: members.body.data[0].id },
    ]) {
      expect((await test(fields)).status).toBe(404);
    }
    expect((await test({}, stranger)).status).toBe(403);
  });
});
