import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keepCopy, takeCopy } from '../../web/src/features/email-template/template-copy.ts';
import { contentOfTemplate } from '../../web/src/features/email-template/template-settings.ts';
import {
  filterQuery,
  isFiltered,
  languagesOf,
  languagesParameter,
} from '../../web/src/features/email-template/templates-view.ts';
import { automationsOf } from '../../web/src/lib/content-filters.ts';
import { browserGlobals } from './browser-globals.ts';

describe('the filters in the address', () => {
  it('select every language, also one that is added later, until one is deselected', () => {
    expect(languagesOf({})).toBeUndefined();
    expect(languagesParameter(['en', 'de'], ['de', 'en'])).toBe('');
    expect(languagesParameter(['en'], ['de', 'en'])).toBe('en');
    expect(languagesOf({ languages: 'en,de' })).toEqual(['en', 'de']);
  });

  it('can select no language: then nothing is asked for', () => {
    expect(languagesParameter([], ['de', 'en'])).toBe('none');
    expect(languagesOf({ languages: 'none' })).toEqual([]);
    expect(filterQuery({ languages: 'none' })).toBeUndefined();
    expect(isFiltered({ languages: 'none' })).toBe(true);
  });

  it('are sent as the API takes them', () => {
    const filters = { search: '  spring ', languages: 'de', automations: 'a1,b2' };
    expect(filterQuery(filters)).toEqual({ search: 'spring', languages: 'de', automations: 'a1,b2' });
    expect(isFiltered(filters)).toBe(true);
    expect(filterQuery({ search: ' ' })).toEqual({});
    expect(isFiltered({ search: ' ' })).toBe(false);
  });

  it('leave out what the API would refuse', () => {
    expect(languagesOf({ languages: 'xx,__proto__' })).toBeUndefined();
    expect(languagesOf({ languages: 'xx,fr' })).toEqual(['fr']);
    expect(automationsOf({ automations: 'a1,../x,,B2' })).toEqual(['a1']);
    expect(automationsOf({ automations: Array(150).fill('a1b2c3d4e5f6').join(',') })).toHaveLength(100);
    expect(filterQuery({ search: 'x'.repeat(300) })?.search).toHaveLength(254);
  });
});

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
    expect(keepCopy({ organization: 7, template_data })).toBeNull();
    expect(takeCopy(null, 7)).toEqual(template_data);
    expect(takeCopy(null, 7)).toBeUndefined();
    expect(storage.size).toBe(0);
  });

  it('goes with the navigation where the browser stores nothing', () => {
    const blocked = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
    vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked, removeItem: blocked });
    const state = keepCopy({ organization: 7, template_data });
    expect(takeCopy(state, 7)).toEqual(template_data);
  });

  it('fills in nothing in another organization, nor when something else is stored', () => {
    keepCopy({ organization: 7, template_data });
    expect(takeCopy(null, 8)).toBeUndefined();
    expect(takeCopy(null, 7)).toBeUndefined();
    for (const text of ['{', 'null', '7', '{"organization":7}']) {
      localStorage.setItem('templateData', text);
      expect(takeCopy(null, 7)).toBeUndefined();
    }
  });
});

it('the content of a template is its parts alone', () => {
  const template = { name: 'Welcome', subject_line: 'Hello', preheader: null, footer: 'Bye' };
  expect(Object.keys(contentOfTemplate(template))).not.toContain('name');
  expect(contentOfTemplate(template)).toMatchObject({
    subject_line: 'Hello',
    preheader: null,
    footer: 'Bye',
  });
});
