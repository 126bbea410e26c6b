import { beforeEach, describe, expect, it, vi } from 'vitest';
import { partsOf } from '#web/entities/email/parts.tsx';
import { keepTemplateCopy, takeTemplateCopy } from '#web/features/content/duplicate.ts';
import { browserGlobals } from './browser-globals.ts';

describe('the copy of a template', () => {
  const template_data = {
    name: 'Welcome (copy)',
    subject_line: 'Hello',
    preheader: null,
    pre_cta_content: 'Text',
    cta_text: 'Go',
    cta_url: 'https://example.com',
    after_cta_content: null,
    footer: '{{UNSUB_LINK}}',
    is_active: true,
    language_code: 'en' as const,
    automation_ids: ['a1'],
  };

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

  it('goes with the navigation where the browser stores nothing', () => {
    const blocked = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
    vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked, removeItem: blocked });
    const state = keepTemplateCopy({ organization: 7, template_data });
    expect(takeTemplateCopy(state, 7)).toEqual(template_data);
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
  const template = { name: 'Welcome', subject_line: 'Hello', preheader: null, footer: 'Bye' };
  expect(Object.keys(partsOf(template))).not.toContain('name');
  expect(partsOf(template)).toMatchObject({ subject_line: 'Hello', preheader: null, footer: 'Bye' });
});
