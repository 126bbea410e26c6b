import { Text } from '@chakra-ui/react';
import type { EmailAsset } from '#shared/email-asset.ts';
import { EMAIL_ASSET, EMAIL_TEMPLATE } from '#web/entities/content/content.ts';
import { DeleteEntity } from '#web/entities/delete-entity.tsx';

type Props = {
  /** The page of the content leads to the list before the content is removed from the cache. */
  leaves?: boolean;
  onClose: () => void;
};

type TemplateProps = Props & { template: { id: string; name: string }; failure: string };

export const DeleteTemplate = ({ template, ...props }: TemplateProps) => (
  <DeleteEntity {...props} entity={EMAIL_TEMPLATE} item={template} title="Confirm Deletion" confirm="Delete">
    <p>Are you sure you want to delete this template? This action cannot be undone.</p>
    <Text mt="2" color="fg" fontWeight="medium">
      {template.name}
    </Text>
  </DeleteEntity>
);

type AssetProps = Props & { asset: Pick<EmailAsset, 'id' | 'name' | 'type'> };

export const DeleteAsset = ({ asset, ...props }: AssetProps) => (
  <DeleteEntity
    {...props}
    entity={EMAIL_ASSET}
    item={asset}
    confirm="Delete Asset"
    failure="Failed to delete email asset. Please try again."
  >
    Are you sure you want to delete this email asset? This action cannot be undone.
  </DeleteEntity>
);
