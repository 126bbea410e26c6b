import { type EmailList, LOGO_LIMIT, LOGO_NOT_SMALLER, LOGO_WRONG_TYPE } from '../../../../shared/list.ts';
import { LogoField } from '../../components/logo-field.tsx';
import { revalidate, useOrganizationCall } from '../../lib/data.ts';
import type { ImageRules } from '../../lib/read-image.ts';

const RULES: ImageRules = {
  types: ['image/jpeg', 'image/png'],
  wrongType: LOGO_WRONG_TYPE,
  fits: bytes => bytes < LOGO_LIMIT,
  tooLarge: LOGO_NOT_SMALLER,
};

/** The logo of a list, shown at the top of its emails. */
export function ListLogo({ list }: { list: EmailList }) {
  const call = useOrganizationCall();

  async function save(logo: string | null) {
    await call('PUT /api/email-lists/{list}/logo', { params: { list: list.id }, body: { logo } });
    // The response has no URL of the file; the list has.
    await revalidate('GET /api/email-lists/{list}', 'GET /api/email-lists');
  }

  return <LogoField of={list} rules={RULES} hint="JPEG or PNG, smaller than 500 KB." headed save={save} />;
}
