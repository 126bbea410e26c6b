import { Box } from '@chakra-ui/react';
import {
  type EmailList,
  type ListChange,
  LOGO_LIMIT,
  LOGO_NOT_SMALLER,
  LOGO_WRONG_TYPE,
  type NewList,
} from '../../../../shared/list.ts';
import { SubmitButton } from '../../components/form.tsx';
import { LogoField } from '../../components/logo-field.tsx';
import { Section } from '../../components/section.tsx';
import { updateCached } from '../../entities/cache.ts';
import { LIST } from '../../entities/list/list.ts';
import { revalidate, useOrganizationChange } from '../../lib/data.ts';
import { useOrganization } from '../../lib/organization.ts';
import { isMissing } from '../../lib/problem.ts';
import type { ImageRules } from '../../lib/read-image.ts';
import { toast } from '../../lib/toasts.ts';
import { ListSettings } from './list-form.tsx';
import { settingsOf } from './list-settings.ts';
import { SendingKey } from './sending-key/sending-key.tsx';

/** The forms of a list: its settings, its sending key and its logo. */
export default function EditList({ list }: { list: EmailList }) {
  return (
    <Box
      display="grid"
      gridTemplateColumns={{ base: '1fr', lg: 'minmax(0, 420px) minmax(0, 420px)' }}
      columnGap="16"
      rowGap="8"
    >
      <Settings list={list} />
      <div>
        <SendingKey list={list} />
        <Section title="Logo">
          <ListLogo list={list} />
        </Section>
      </div>
    </Box>
  );
}

function Settings({ list }: { list: EmailList }) {
  const change = useOrganizationChange();
  const organization = useOrganization()?.id;

  async function save(_: NewList, body: ListChange) {
    if (Object.keys(body).length === 0) return toast('Nothing has changed.', 'info');
    try {
      const changed = await change('PUT /api/email-lists/{list}', { params: { list: list.id }, body });
      await updateCached(LIST, { organization, id: list.id }, changed);
    } catch (problem) {
      if (isMissing(problem)) await revalidate('GET /api/email-lists/{list}');
      throw problem;
    }
    toast('List saved.');
  }

  return (
    <Section title="Settings">
      <ListSettings initial={settingsOf(list)} save={save} failure="Failed to update list. Please try again">
        <SubmitButton loadingText="Saving..." strict>
          Save
        </SubmitButton>
      </ListSettings>
    </Section>
  );
}

const RULES: ImageRules = {
  types: ['image/jpeg', 'image/png'],
  wrongType: LOGO_WRONG_TYPE,
  fits: bytes => bytes < LOGO_LIMIT,
  tooLarge: LOGO_NOT_SMALLER,
};

/** The logo of a list, shown at the top of its emails. */
function ListLogo({ list }: { list: EmailList }) {
  const change = useOrganizationChange();

  async function save(logo: string | null) {
    await change('PUT /api/email-lists/{list}/logo', { params: { list: list.id }, body: { logo } });
    // The response has no URL of the file; the list has.
    await revalidate('GET /api/email-lists/{list}');
  }

  return <LogoField of={list} rules={RULES} hint="JPEG or PNG, smaller than 500 KB." headed save={save} />;
}
