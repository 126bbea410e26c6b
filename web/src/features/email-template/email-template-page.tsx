import { Badge, Flex } from '@chakra-ui/react';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import type { EmailTemplateDetail } from '#shared/email-template.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Page } from '#web/components/page.tsx';
import { ActiveStatus } from '#web/components/status.tsx';
import { EmailAndMore } from '#web/entities/email/email-preview.tsx';
import { LockedNote } from '#web/entities/email/locked-note.tsx';
import { partsOf } from '#web/entities/email/parts-of.ts';
import { WrittenParts } from '#web/entities/email/written-parts.tsx';
import { DeleteTemplate } from '#web/entities/email-template/delete-template.tsx';
import { EMAIL_TEMPLATE, useEmailTemplate } from '#web/entities/email-template/email-template.ts';
import { ToggleButton } from '#web/entities/toggle-button.tsx';
import { formatDate } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { TemplateLinks } from './template-links.tsx';
import { TemplateName } from './template-name.tsx';
import { TransferOwnership } from './transfer-ownership.tsx';
import { useDuplication } from './use-duplication.ts';

/** The page of a template. */
export function EmailTemplatePage() {
  const { emailTemplate: id = '' } = useParams();
  const { data, mutate } = useEmailTemplate(id);
  if (!data) {
    return (
      <Page key="loading" title="Email template">
        <LockedNote kind="template" />
        <EmailAndMore email={undefined}>
          <Loading shape={['title', 'field', 'button', 'title', 'line', 'line', 'title', 'line']} />
        </EmailAndMore>
      </Page>
    );
  }
  const { emailTemplate: template, automations, is_owner, can_edit } = data;
  return (
    <Page title={template.name} actions={can_edit && <Actions {...data} />}>
      <Flex wrap="wrap" align="center" columnGap="3" rowGap="1" mt="-3" mb="4" fontSize="sm" color="fg.muted">
        <ActiveStatus active={template.is_active} />
        {!template.is_editable && (
          <Badge display="inline-flex" alignItems="center" gap="1">
            <Lock aria-hidden size={12} />
            <span>Locked</span>
          </Badge>
        )}
        <Badge>{template.language_code.toUpperCase()}</Badge>
        <span>Created {formatDate(template.created_at)}</span>
      </Flex>
      <LockedNote kind="template" />
      <EmailAndMore
        email={{
          content: partsOf(template),
          language: template.language_code,
          written: {
            name: 'Content',
            panel: <WrittenParts texts={template} language={template.language_code} />,
          },
        }}
      >
        {can_edit && <TemplateName template={template} />}
        <TemplateLinks id={template.id} automations={automations} canEdit={can_edit} />
        {is_owner && (
          <TransferOwnership template={template} onDone={to => mutate(to, { revalidate: false })} />
        )}
      </EmailAndMore>
    </Page>
  );
}

function Actions({ emailTemplate: template, is_owner }: EmailTemplateDetail) {
  const [deleting, setDeleting] = useState(false);
  const duplicate = useDuplication({
    ready: 'Ready to create a copy of this template',
    invalid: 'Failed to prepare template duplication',
    failure: 'Failed to prepare template duplication',
  });
  return (
    <>
      {is_owner && (
        <Button variant="ghost" onClick={() => setDeleting(true)}>
          Delete
        </Button>
      )}
      <Button onClick={() => void duplicate(template.id)}>Duplicate</Button>
      <ToggleButton entity={EMAIL_TEMPLATE} item={template} />
      <ButtonLink to={paths.editEmailTemplate(template.id)}>Edit</ButtonLink>
      {deleting && (
        <DeleteTemplate
          template={template}
          failure="Failed to delete template"
          leaves
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}
