import * as automationContent from '#core/content/automation-content.ts';
import * as emailAssets from '#core/content/email-asset.ts';
import * as emailTemplates from '#core/content/email-template.ts';
import * as images from '#core/content/image.ts';
import { automationContentRoutes } from '#shared/automation-content.ts';
import { emailAssetRoutes } from '#shared/email-asset.ts';
import { emailAssetSetRoutes } from '#shared/email-asset-set.ts';
import { emailTemplateRoutes } from '#shared/email-template.ts';
import { imageRoutes } from '#shared/image.ts';
import { automation, emailAsset, emailTemplate } from '../http/path-params.ts';
import { serveBoth } from '../http/serve.ts';
import { objects } from '../platform/objects.ts';
import { table } from '../platform/table.ts';

export const handler = serveBoth(
  {
    ...emailAssetRoutes,
    ...emailAssetSetRoutes,
    ...emailTemplateRoutes,
    ...imageRoutes,
    ...automationContentRoutes,
  },
  {
    'GET /api/email-assets': ({ active, query }) =>
      emailAssets.page({ table }, active.organization.id, query),
    'POST /api/email-assets': ({ active, body, now }) =>
      emailAssets.create({ table, now }, active.organization.id, body),
    'POST /api/email-assets-check': ({ active, body }) =>
      emailAssets.check({ table }, active.organization.id, body),
    'GET /api/email-assets/{emailAsset}': ({ emailAsset }) => emailAssets.detail({ table }, emailAsset),
    'PUT /api/email-assets/{emailAsset}': ({ emailAsset, body, now }) =>
      emailAssets.change({ table, now }, emailAsset, body),
    'POST /api/email-assets/{emailAsset}/versions': ({ emailAsset, body, now }) =>
      emailAssets.createVersion({ table, now }, emailAsset, body),
    'DELETE /api/email-assets/{emailAsset}': ({ emailAsset, now }) =>
      emailAssets.remove({ table, now }, emailAsset),
    'POST /api/email-asset-sets': ({ active, body, now }) =>
      emailAssets.createSet({ table, now }, active.organization.id, body),

    'GET /api/email-templates': ({ active, query }) => emailTemplates.page({ table }, active, query),
    'GET /api/email-templates-summary': ({ active, query }) =>
      emailTemplates.summary({ table }, active.organization.id, query),
    'POST /api/email-templates': ({ active, body, now }) =>
      emailTemplates.create({ table, now }, active, body),
    'POST /api/email-templates-check': ({ active, body }) =>
      emailTemplates.check({ table }, active.organization.id, body),
    'GET /api/email-templates/{emailTemplate}': ({ emailTemplate }) =>
      emailTemplates.detail({ table }, emailTemplate),
    'PUT /api/email-templates/{emailTemplate}': ({ emailTemplate, body, now }) =>
      emailTemplates.change({ table, now }, emailTemplate, body),
    'PUT /api/email-templates/{emailTemplate}/automations': ({ emailTemplate, body, now }) =>
      emailTemplates.change({ table, now }, emailTemplate, body),
    'PUT /api/email-templates/{emailTemplate}/owner': ({ active, emailTemplate, body, now }) =>
      emailTemplates.handOver({ table, now }, active, emailTemplate, body.user_id),
    'POST /api/email-templates/{emailTemplate}/versions': ({ emailTemplate, body, now }) =>
      emailTemplates.createVersion({ table, now }, emailTemplate, body),
    'POST /api/email-templates/{emailTemplate}/duplicate': async ({ emailTemplate }) => ({
      template_data: await emailTemplates.dataOf({ table }, emailTemplate),
    }),
    'DELETE /api/email-templates/{emailTemplate}': ({ emailTemplate, now }) =>
      emailTemplates.remove({ table, now }, emailTemplate),

    'POST /api/images': ({ active, body }) => images.upload({ objects }, active.organization.id, body.image),

    'GET /api/automations/{automation}/content': ({ automation }) =>
      automationContent.detail({ table }, automation),
    'PUT /api/automations/{automation}/content': ({ active, automation, body, now }) =>
      automationContent.change({ table, now }, active, automation, body),
  },
  { automation, emailAsset, emailTemplate },
);
