import { Box, Text } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import type { Automation } from '#shared/automation.ts';
import { DraftActions } from '#web/components/actions.tsx';
import { Modal } from '#web/components/modal.tsx';
import { AUTOMATION_TOAST_DURATION } from '#web/entities/automation/automation.tsx';
import { LINK_CONTENT } from '#web/entities/automation/obstacles.ts';
import {
  type Changes,
  ContentPicker,
  changeOf,
  isTooMuch,
  NOT_LINKED,
} from '#web/entities/content/content-picker.tsx';
import { revalidate, useOrganizationChange } from '#web/lib/data.ts';
import { toast } from '#web/lib/toasts.ts';
import { registerUnsavedCheck } from '#web/lib/unsaved.ts';
import { useAction } from '#web/lib/use-action.ts';

type Props = { automation: Pick<Automation, 'id' | 'name'>; onClose: () => void };

export default function LinkContentDialog({ automation: { id, name }, onClose }: Props) {
  const change = useOrganizationChange();
  const [changes, setChanges] = useState<Changes>(new Map());
  const isChanged = changes.size > 0;
  useEffect(() => registerUnsavedCheck(() => isChanged), [isChanged]);
  const { run, isRunning, error } = useAction(
    async () => {
      try {
        const body = changeOf(changes);
        await change('PUT /api/automations/{automation}/content', { params: { automation: id }, body });
      } catch (problem) {
        // It also fails if content was deleted. Revalidated lists do not have that any more.
        void revalidate('GET /api/email-templates', 'GET /api/email-assets');
        throw problem;
      }
      toast('Content saved.', 'success', AUTOMATION_TOAST_DURATION);
    },
    { failure: NOT_LINKED },
  );

  return (
    <Modal title={`${LINK_CONTENT}: ${name}`} width="720px" onClose={onClose}>
      <Text mb="4" fontSize="sm" color="fg.muted">
        What is checked is sent by this automation while it is active. Content may be linked to several
        automations.
      </Text>
      {/* On a phone it fills the screen at once, so that the dialog does not move when the content is loaded. */}
      <Box minHeight={{ base: 'calc(100dvh - 240px)', sm: '0' }}>
        <ContentPicker automation={id} changes={changes} onChange={setChanges} disabled={isRunning} />
      </Box>
      <DraftActions
        error={error}
        isRunning={isRunning}
        disabled={!isChanged || isTooMuch(changes)}
        save={run}
        onClose={onClose}
      />
    </Modal>
  );
}
