import { Badge, Flex } from '@chakra-ui/react';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { EmailTemplateDetail } from '../../../../shared/email-template.ts';
import { Button, ButtonLink, ignoreDoubleClick } from '../../components/button.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { ActiveStatus } from '../../components/status.tsx';
import { EmailAndMore } from '../../entities/email/email-preview.tsx';
import { DeleteTemplate } from '../../entities/email-template/delete-template.tsx';
import { EMAIL_TEMPLATE, useEmailTemplate } from '../../entities/email-template/email-template.ts';
import { useToggle } from '../../entities/use-toggle.ts';
import { formatDate } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { LockedNote } from './locked-note.tsx';
import { TemplateContent } from './template-content.tsx';
import { TemplateLinks } from './template-links.tsx';
import { TemplateName } from './template-name.tsx';
import { contentOfTemplate } from './template-settings.ts';
import { TransferOwnership } from './transfer-ownership.tsx';
import { useDuplication } from './use-duplication.ts';

/** The page of a template. */
export function EmailTemplatePage() {
  const { template: id = '' } = useParams();
  const { data, mutate } = useEmailTemplate(id);
  if (!data) {
    return (
      <Page key="loading" title="Email template">
        <LockedNote />
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
      <LockedNote />
      <EmailAndMore
        email={{
          content: contentOfTemplate(template),
          language: template.language_code,
          written: { name: 'Content', panel: <TemplateContent template={template} /> },
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

function Actions({ emailTemplate: { id, name, is_active }, is_owner }: EmailTemplateDetail) {
  const [deleting, setDeleting] = useState(false);
  const { toggle, isChanging } = useToggle(EMAIL_TEMPLATE);
  const duplicate = useDuplication({
    ready: 'Ready to create a copy of this template',
    invalid: 'Failed to prepare template duplication',
    failure: 'Failed to prepare template duplication',
  });
  const navigate = useNavigate();
  const verb = is_active ? 'Deactivate' : 'Activate';
  return (
    <>
      {is_owner && (
        <Button variant="ghost" onClick={() => setDeleting(true)}>
          Delete
        </Button>
      )}
      <Button onClick={() => void duplicate(id)}>Duplicate</Button>
      <Button
        loading={isChanging(id)}
        loadingText={verb}
        onClickCapture={ignoreDoubleClick}
        onClick={() => void toggle({ id, name }, !is_active)}
      >
        {verb}
      </Button>
      <ButtonLink to={paths.editEmailTemplate(id)}>Edit</ButtonLink>
      {deleting && (
        <DeleteTemplate
          template={{ id, name }}
          failure="Failed to delete template"
          onDeleted={() => navigate(paths.emailTemplates(), { replace: true })}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}
