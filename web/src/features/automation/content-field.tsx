import { Box } from '@chakra-ui/react';
import type { Automation } from '#shared/automation.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { SubmitButton } from '#web/components/form.tsx';
import { Notice } from '#web/components/notice.tsx';
import { NOTHING_TO_SEND } from '#web/entities/automation/obstacles.ts';
import { newAssetFor, newAssetSetFor, newTemplateFor } from '#web/lib/paths.ts';
import { type Changes, ContentPicker } from './content-picker.tsx';

const TEMPLATE = { noun: 'template', title: 'Email Template', path: newTemplateFor };
const ASSET = { noun: 'asset', title: 'Email Asset', path: newAssetFor };
/** The content that is created for an automation without any. */
const ASSET_SET = { noun: 'asset set', title: 'Asset Set', path: newAssetSetFor };

type Props = {
  /** Undefined for a new one. */
  automation: Automation | undefined;
  changes: Changes;
  onChange: (changes: Changes) => void;
  /** Called with the path of the form for missing content, once the new automation is saved. */
  onContinue: (to: (automation: string) => string) => void;
};

/** Chooses what an automation sends. Existing content is linked; missing content is created after the automation. */
export function ContentField({ automation, changes, onChange, onContinue }: Props) {
  const isEligible = automation?.email_eligibility.is_eligible ?? false;
  return (
    <Box as="fieldset" mt="6" minWidth="0">
      <Box as="legend" mb="1" fontSize="sm" fontWeight="medium">
        Content
      </Box>
      {!isEligible && (
        <Notice tone="info" mb="2">
          {NOTHING_TO_SEND}
        </Notice>
      )}
      <ContentPicker automation={automation?.id} changes={changes} onChange={onChange} />
      <Box display="flex" flexWrap="wrap" gap="2" mt="2">
        {[TEMPLATE, isEligible ? ASSET : ASSET_SET].map(({ noun, title, path }) =>
          automation ? (
            <ButtonLink key={noun} to={path(automation.id)}>
              + New {title}
            </ButtonLink>
          ) : (
            <SubmitButton
              key={noun}
              secondary
              variant="outline"
              loadingText="Saving..."
              onClick={() => onContinue(path)}
            >
              Save and create {noun}
            </SubmitButton>
          ),
        )}
      </Box>
    </Box>
  );
}
