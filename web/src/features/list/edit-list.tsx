import { Box } from '@chakra-ui/react';
import { useMemo } from 'react';
import type { EmailList, NewList } from '../../../../shared/list.ts';
import { SubmitButton } from '../../components/form.tsx';
import { Section } from '../../components/section.tsx';
import { useOrganizationCall, useRevalidate } from '../../lib/data.ts';
import { isMissing } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { ListSettings } from './list-form.tsx';
import { ListLogo } from './list-logo.tsx';
import { changesOf, settingsOf } from './list-settings.ts';
import { SendingKey } from './sending-key/sending-key.tsx';
import { useUpdateListInCache } from './use-lists.ts';

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
  const call = useOrganizationCall();
  const updateInCache = useUpdateListInCache();
  const revalidate = useRevalidate();
  const initial = useMemo(() => settingsOf(list), [list]);

  async function save(settings: NewList) {
    const body = changesOf(list, settings);
    if (Object.keys(body).length === 0) return toast('Nothing has changed.', 'info');
    try {
      await updateInCache(await call('PUT /api/email-lists/{list}', { params: { list: list.id }, body }));
    } catch (problem) {
      if (isMissing(problem)) await revalidate('GET /api/email-lists/{list}');
      throw problem;
    }
    toast('List saved.');
  }

  return (
    <Section title="Settings">
      <ListSettings
        initial={initial}
        save={save}
        onSaved={() => undefined}
        failure="Failed to update list. Please try again"
      >
        <SubmitButton loadingText="Saving..." strict>
          Save
        </SubmitButton>
      </ListSettings>
    </Section>
  );
}
