import {
  LOGO_TOO_LARGE,
  LOGO_TYPES,
  MOST_LOGO_BYTES,
  NOT_AN_IMAGE,
  type Organization,
} from '../../../../shared/organization.ts';
import { LogoField } from '../../components/logo-field.tsx';
import { api } from '../../lib/api.ts';
import { ofOrganization } from '../../lib/organization.ts';
import type { ImageRules } from '../../lib/read-image.ts';
import { useOrganizations } from './use-organizations.ts';

const RULES: ImageRules = {
  // Firefox has another name for icons.
  types: [...LOGO_TYPES, 'image/vnd.microsoft.icon'],
  wrongType: NOT_AN_IMAGE,
  fits: bytes => bytes <= MOST_LOGO_BYTES,
  tooLarge: LOGO_TOO_LARGE,
};

export function OrganizationLogo({ organization }: { organization: Organization }) {
  const { updateInCache } = useOrganizations();
  async function save(logo: string | null) {
    const input = { ...ofOrganization(organization.id), body: { logo } };
    await updateInCache(await api('PUT /api/organizations/{organization}/logo', input));
  }
  return <LogoField of={organization} rules={RULES} hint="Any image except SVG, up to 500 KB." save={save} />;
}
