import { beforeEach, describe, expect, it } from 'vitest';
import { partsOf } from '#web/entities/email/parts.tsx';
import { keepTemplateCopy, takeTemplateCopy } from '#web/features/content/duplicate.ts';
import { template } from '../support/components/examples.ts';
import { browserGlobals } from './browser-globals.ts';

describe('the copy of a template', () => {
  const { id: _, created_at, is_editable, is_owner, can_edit, automations, ...content } = template;
  const template_data = { ...content, automation_ids: ['a1'] };

  let storage: Map<string, string>;
  beforeEach(() => {
    storage = browserGlobals().storage;
  });

  it('is kept in the browser, and read once', () => {
    expect(keepTemplateCopy({ organization: 7, template_data })).toBeNull();
    expect(takeTemplateCopy(null, 7)).toEqual(template_data);
    expect(takeTemplateCopy(null, 7)).toBeUndefined();
    expect(storage.size).toBe(0);
  });

  it('fills in nothing in another organization, nor when something else is stored', () => {
    keepTemplateCopy({ organization: 7, template_data });
    expect(takeTemplateCopy(null, 8)).toBeUndefined();
    expect(takeTemplateCopy(null, 7)).toBeUndefined();
    for (const text of ['{', 'null', '7', '{"organization":7}']) {
      localStorage.setItem('templateData', text);
      expect(takeTemplateCopy(null, 7)).toBeUndefined();
    }
  });
});

it('the content of a template is its parts alone', () => {
  const written = { name: 'Welcome', subject_line: 'Hello', preheader: null, footer: 'Bye' };
  expect(Object.keys(partsOf(written))).not.toContain('name');
  expect(partsOf(written)).toMatchObject({ subject_line: 'Hello', preheader: null, footer: 'Bye' });
});
