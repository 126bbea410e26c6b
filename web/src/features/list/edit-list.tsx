import { Box } from '@chakra-ui/react';
import { type RefObject, useRef } from 'react';
import { type EmailList, type ListChange, LOGO_WRONG_TYPE, type NewList } from '#shared/list.ts';
import { needsKey, providersOf } from '#shared/providers.ts';
import { SubmitButton } from '#web/components/form.tsx';
import type { ImageRules } from '#web/components/logo-upload.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';
import { LIST } from '#web/entities/list/list.ts';
import { useEntityChange } from '#web/entities/use-entity.ts';
import { askToConfirm } from '#web/lib/confirmation.ts';
import { revalidate, useOrganizationChange } from '#web/lib/data.ts';
import { isMissing } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import { SendingDomain, TrackingDomain } from './list-domains.tsx';
import { ListSettings, type ListValues } from './list-form.tsx';
import { SendingKey } from './sending-key.tsx';

const LogoUpload = onDemand(
  () => import('#web/components/logo-upload.tsx'),
  <Box flex="1 1 260px" maxWidth="420px" minHeight="139px" />,
);

export default function EditList({ list }: { list: EmailList }) {
  const keyForm = useRef<HTMLFormElement>(null);
  return (
    <Box
      display="grid"
      gridTemplateColumns={{ base: '1fr', lg: 'minmax(0, 420px) minmax(0, 420px)' }}
      columnGap="16"
      rowGap="8"
    >
      <Settings list={list} keyForm={keyForm} />
      <div>
        {providersOf(list).map(provider =>
          needsKey(provider) ? (
            <SendingKey key={provider} list={list} formRef={keyForm} />
          ) : (
            <SendingDomain key={provider} list={list} />
          ),
        )}
        <TrackingDomain list={list} />
        <Section title="Logo">
          <ListLogo list={list} />
        </Section>
      </div>
    </Box>
  );
}

function Settings({ list, keyForm }: { list: EmailList; keyForm: RefObject<HTMLFormElement | null> }) {
  const change = useEntityChange(LIST, list.id);

  /** A key that was typed but not saved is saved together with the settings. */
  async function save(_: NewList, changed: ListChange) {
    const typedKey = keyForm.current?.matches('[data-unsaved]') ? keyForm.current : undefined;
    if (Object.keys(changed).length > 0) await saveSettings(changed);
    else if (!typedKey) toast('Nothing has changed.', 'info');
    typedKey?.requestSubmit();
  }

  async function saveSettings(body: ListChange) {
    if (body.warm_up === 'off' && list.warm_up === 'on') {
      await askToConfirm({
        title: 'End the warm-up?',
        sentences: [
          'The list then sends all its emails at once. A domain that suddenly sends many is often taken for spam, also by those who want its emails.',
          'If you switch the warm-up on again, it begins anew.',
        ],
        confirm: 'End the warm-up',
      });
    }
    try {
      await change(LIST.put, body, changed => changed);
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

const settingsOf = (list: EmailList): ListValues => {
  const { name, domain, sender_name, sender_address, unsubscribe_text, time_zone, provider, active } = list;
  return {
    warm_up: list.warm_up,
    name,
    public_name: list.public_name ?? '',
    domain,
    sender_name,
    sender_address,
    reply_to: list.reply_to ?? '',
    provider,
    second_provider: list.second_provider ?? '',
    unsubscribe_text,
    time_zone,
    active,
  };
};

const RULES: ImageRules = { types: ['image/jpeg', 'image/png'], wrongType: LOGO_WRONG_TYPE };

function ListLogo({ list }: { list: EmailList }) {
  const change = useOrganizationChange();

  async function save(logo: string | null, onUploadProgress: (share: number) => void) {
    const input = { params: { list: list.id }, body: { logo }, onUploadProgress };
    await change('PUT /api/email-lists/{list}/logo', input);
    // The response does not contain the URL of the file, but the list does.
    await revalidate('GET /api/email-lists/{list}');
  }

  return (
    <LogoUpload
      of={list}
      rules={RULES}
      hint="JPEG or PNG, smaller than 500 KB. Emails with a design show it."
      headed
      save={save}
    />
  );
}
