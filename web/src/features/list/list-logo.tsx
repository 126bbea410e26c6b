import { type EmailList, LOGO_LIMIT, LOGO_NOT_SMALLER, LOGO_WRONG_TYPE } from '../../../../shared/list.ts';
import { LogoField } from '../../components/logo-field.tsx';
import { useOrganizationCall, useRefresh } from '../../lib/data.ts';
import type { ImageRules } from '../../lib/read-image.ts';

const RULES: ImageRules = {
  types: ['image/jpeg', 'image/png'],
  wrongType: LOGO_WRONG_TYPE,
  fits: bytes => bytes < LOGO_LIMIT,
  tooLarge: LOGO_NOT_SMALLER,
};

/** The logo of a list, which heads its emails. */
export function ListLogo({ list }: { list: EmailList }) {
  const call = useOrganizationCall();
  const refresh = useRefresh();

  async function save(logo: string | null) {
    await call('PUT /api/email-lists/{list}/logo', { params: { list: list.id }, body: { logo } });
    // Where it is served, the list knows.
    await refresh('GET /api/email-lists/{list}');
  }

  return <LogoField of={list} rules={RULES} hint="JPEG or PNG, smaller than 500 KB." headed save={save} />;
}
