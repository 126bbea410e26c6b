import { describe, expect, it } from 'vitest';
import { PARTS, type Part } from '#shared/email/content.ts';
import { EmailAssetChange, NewEmailAsset } from '#shared/email-asset.ts';
import { EmailTemplateChange, NewEmailTemplate } from '#shared/email-template.ts';

const TEMPLATE = {
  name: 'Welcome',
  subject_line: 'Hello',
  preheader: 'Hi',
  pre_cta_content: 'Welcome',
  cta_text: 'Go',
  cta_url: 'https://example.com/',
  after_cta_content: 'Bye',
  footer: '{{UNSUB_LINK}}',
};
const parts = Object.keys(PARTS) as Part[];
const faulty = (part: Part) => `${TEMPLATE[part]}{first_name}`;
const FAULT = '{first_name} is not a placeholder: write {{first_name}}';
const textsOf = (result: { error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined }) =>
  result.error?.issues.map(({ path, message }) => [path.join('.'), message]);

describe('what cannot be read as a placeholder', () => {
  it.each(parts)('is an error of a new template, at %s', part => {
    expect(textsOf(NewEmailTemplate.safeParse({ ...TEMPLATE, [part]: faulty(part) }))).toEqual([
      [part, FAULT],
    ]);
  });

  it.each(parts)('is an error of a new asset of the type %s', type => {
    expect(textsOf(NewEmailAsset.safeParse({ type, value: faulty(type) }))).toEqual([['value', FAULT]]);
  });

  it.each(parts)('may be in %s of what was stored before, which a change repeats', part => {
    expect(EmailTemplateChange.safeParse({ [part]: faulty(part) }).success).toBe(true);
    expect(EmailAssetChange.safeParse({ type: part, value: faulty(part) }).success).toBe(true);
  });

  it.each([
    [{ footer: '{{UNSUB_LINK}' }, ['footer', 'Footer must include {{UNSUB_LINK}} placeholder']],
    [
      { cta_url: 'https://example.com/{{utm_tags_template_id}}{code}' },
      [
        'cta_url',
        "CTA URL must include a '?' symbol before the UTM tags, e.g. https://example.com?{{utm_tags_template_id}}",
      ],
    ],
    [{ subject_line: ' ' }, ['subject_line', 'Subject line is required']],
  ])('is not said beside the rule that %j breaks', (fields, error) => {
    expect(textsOf(NewEmailTemplate.safeParse({ ...TEMPLATE, ...fields }))).toEqual([error]);
  });

  it('is said before that an address is none', () => {
    expect(textsOf(NewEmailTemplate.safeParse({ ...TEMPLATE, cta_url: '{{shop | ‘x’}}' }))).toEqual([
      ['cta_url', "{{shop | ‘x’}} is not a placeholder: write {{shop | 'x'}}"],
    ]);
  });
});
