import { Box } from '@chakra-ui/react';
import { useMemo } from 'react';
import { useParams } from 'react-router';
import {
  type EmailList,
  LOGO_LIMIT,
  LOGO_NOT_SMALLER,
  LOGO_WRONG_TYPE,
  type NewList,
} from '../../../../shared/list.ts';
import { ButtonLink } from '../../components/button.tsx';
import { SubmitButton } from '../../components/form.tsx';
import { LogoField } from '../../components/logo-field.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useList } from '../../components/use-list.ts';
import { revalidate, useOrganizationCall } from '../../lib/data.ts';
import { paths } from '../../lib/paths.ts';
import { isMissing } from '../../lib/problem.ts';
import type { ImageRules } from '../../lib/read-image.ts';
import { toast } from '../../lib/toasts.ts';
import { ListSettings } from './list-form.tsx';
import { changesOf, settingsOf } from './list-settings.ts';
import { SendingKey } from './sending-key/sending-key.tsx';
import { updateListInCache, useKnownList } from './use-lists.ts';

export function EditListPage() {
  const { list: id = '' } = useParams();
  const list = useList(id);
  const known = useKnownList(id);
  const name = list?.name ?? known?.name;
  return (
    <Page
      title={name ? `Edit ${name}` : 'Edit list'}
      actions={
        <ButtonLink variant="ghost" to={paths.list(id)}>
          Back to the list
        </ButtonLink>
      }
    >
      {list ? (
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
      ) : (
        <Spinner />
      )}
    </Page>
  );
}

function Settings({ list }: { list: EmailList }) {
  const call = useOrganizationCall();
  const initial = useMemo(() => settingsOf(list), [list]);

  async function save(settings: NewList) {
    const body = changesOf(list, settings);
    if (Object.keys(body).length === 0) return toast('Nothing has changed.', 'info');
    try {
      await updateListInCache(await call('PUT /api/email-lists/{list}', { params: { list: list.id }, body }));
    } catch (problem) {
      if (isMissing(problem)) await revalidate('GET /api/email-lists/{list}');
      throw problem;
    }
    toast('List saved.');
  }

  return (
    <Section title="Settings">
      <ListSettings initial={initial} save={save} failure="Failed to update list. Please try again">
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
  const call = useOrganizationCall();

  async function save(logo: string | null) {
    await call('PUT /api/email-lists/{list}/logo', { params: { list: list.id }, body: { logo } });
    // The response has no URL of the file; the list has.
    await revalidate('GET /api/email-lists/{list}', 'GET /api/email-lists');
  }

  return <LogoField of={list} rules={RULES} hint="JPEG or PNG, smaller than 500 KB." headed save={save} />;
}
