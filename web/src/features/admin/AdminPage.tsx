// The dashboard's frame: who works here, the way to the site and out.
import { Link, Navigate } from "@tanstack/react-router";
import { useAuth } from "../../session/useAuth.ts";
import { labelName } from "../../ui/labelName.ts";
import { SkeletonLines } from "../../ui/Skeleton.tsx";

/** Counted by hand, with the dashboard. */
const BUILD_LABEL = "v1.3.0";

export function AdminPage() {
  const { user, ended, isAdmin, authStage, loading, signOut } = useAuth();
  if (loading) {
    return (
      <div aria-busy="true" className="p-gutter">
        <SkeletonLines lines={4} />
      </div>
    );
  }
  // A session that ended under the page leaves it standing until its person is back or gives it up.
  const isOpen = (isAdmin && authStage === "authenticated") || ended !== null;
  if (!isOpen) return <Navigate to="/admin/login" replace />;
  const email = (user ?? ended)?.email;
  return (
    <>
      <header className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 border-hairline border-b px-gutter py-4">
        <div>
          <p className="flex items-baseline gap-3">
            <span className="font-[720] [font-stretch:112.5%]">{labelName()}</span>
            <span className="type-label text-dim">{BUILD_LABEL}</span>
          </p>
          <p className="mt-1 text-dim">Welcome, {email}</p>
        </div>
        <div className="type-label flex gap-3">
          <Link to="/" className="key uppercase">
            Live Site
          </Link>
          <button
            type="button"
            className="key border-ink uppercase hover:bg-ink hover:text-ground"
            onClick={() => void signOut()}
          >
            Sign Out
          </button>
        </div>
      </header>
      <div className="grid-sheet flex-1 content-start gap-y-6 py-12">
        <h1 className="type-heading col-span-12">Admin Dashboard</h1>
        <p className="type-lead col-span-12 lg:col-span-7">
          You are signed in as an admin. The tabs that manage the site are not part of this build.
        </p>
      </div>
    </>
  );
}
