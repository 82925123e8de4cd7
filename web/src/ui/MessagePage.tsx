import type { ReactNode } from "react";
import { PageHead } from "./PageHead.tsx";

interface MessagePageProps {
  name: string;
  message: ReactNode;
  children?: ReactNode;
}

export function MessagePage({ name, message, children }: MessagePageProps) {
  return (
    <>
      <PageHead name={name} />
      <div className="grid-sheet flex-1 content-start gap-y-8 py-12">
        <div className="type-lead col-span-12 flex flex-col gap-4 lg:col-span-6 lg:col-start-4">
          {message}
        </div>
        {children && (
          <div className="type-label col-span-12 flex flex-wrap gap-3 lg:col-span-6 lg:col-start-4">
            {children}
          </div>
        )}
      </div>
    </>
  );
}
